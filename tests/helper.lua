-- What every busted file needs: the repository's modules, found from its root.
package.path = "./?.lua;./?/init.lua;" .. package.path
