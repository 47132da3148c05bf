const GIBIBYTE = 1024 ** 3
const FILE_MAX_BYTES = 64 * 1024 ** 2

/** Limits of the kernel: memory, processor time, sizes of files, and open files of each process. */
export const limited = (withinMs: number, openFiles: number): string[] => [
  'prlimit',
  `--as=${GIBIBYTE}`,
  `--cpu=${Math.ceil(withinMs / 1000)}`,
  `--fsize=${FILE_MAX_BYTES}`,
  '--core=0',
  `--nofile=${openFiles}`,
  '--',
]
