-- The golden files: what `quern gen ARGUMENTS` writes under `path`.

return {
  { file = "acoustic_iso_r4_st_reg_shft.cu", arguments = "specs/acoustic_iso.lua --shape st_reg_shft",
    path = "cuda/acoustic_iso_r4_d3_float_step_inner_st_reg_shft_64x8.cu" },
  { file = "acoustic_iso_r4_pml_st_reg_shft.cu", arguments = "specs/acoustic_iso.lua --shape st_reg_shft",
    path = "cuda/acoustic_iso_r4_d3_float_step_pml_st_reg_shft_64x8.cu" },
  { file = "acoustic_iso_r4_st_tma.cu", arguments = "specs/acoustic_iso.lua --shape inner:st_tma",
    path = "cuda/acoustic_iso_r4_d3_float_step_inner_st_tma_32x8.cu" },
  { file = "laplace_r1_gmem.cu", arguments = "specs/laplace.lua",
    path = "cuda/laplace_r1_d3_float_apply_gmem_32x4x4.cu" },
  { file = "heat_r1_blocked.c", arguments = "specs/heat.lua --backend c",
    path = "c/heat_r1_float_step_blocked_512x16x16.c" },
  { file = "heat_faces_r1_gmem.cu", arguments = "specs/heat_faces.lua",
    path = "cuda/heat_faces_r1_d3_float_step_gmem_32x4x4.cu" },
  { file = "column_eliminate.cu", arguments = "specs/column.lua",
    path = "cuda/column_double_xyk_eliminate_between_column_32x4.cu" },
  { file = "column_substitute.c", arguments = "specs/column.lua --set order=kxy --backend c",
    path = "c/column_double_kxy_substitute_between_column_16x1.c" },
  { file = "wave2d_r2.h", arguments = "specs/wave2d.lua --backend c", path = "c/wave2d_r2_float.h" },
  { file = "wave2d_r2_module.c", arguments = "specs/wave2d.lua --backend c",
    path = "c/wave2d_r2_float_module.c" },
}
