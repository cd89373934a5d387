# Its functions are typed as `kernels.Kernel`, for it may be missing.
