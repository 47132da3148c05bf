import { isolated, type Sandbox, unprotected } from './sandbox.ts'

export type { Sandbox, TaskResult } from './sandbox.ts'

/** Documents cannot be converted on this machine. */
export class ConverterUnavailable extends Error {
  override name = 'ConverterUnavailable'
}

const PROGRAMS = ['pdfinfo', 'pdftocairo', 'pdftotext', 'ffmpeg'] as const
const PROBE_WITHIN_MS = 30_000

/** Starts each program once. Throws ConverterUnavailable: documents of others are never opened without the sandbox by itself. */
export async function openSandbox({ isSandboxed }: { isSandboxed: boolean }): Promise<Sandbox> {
  const sandbox = isSandboxed ? isolated : unprotected
  const probe = { withinMs: PROBE_WITHIN_MS, maxBytes: 1_000_000 }
  const failed = await sandbox.run({ command: ['true'], ...probe }).then(
    ({ code, stderr }) => (code === 0 ? null : stderr.trim() || `it ended with ${code}`),
    (error: Error) => error.message,
  )
  if (failed !== null)
    throw new ConverterUnavailable(
      isSandboxed
        ? `The sandbox cannot run (${failed}). Install bubblewrap and allow user namespaces, or set [Converter] Sandbox = 0.`
        : `Programs cannot be started (${failed}).`,
    )
  const missing: string[] = []
  for (const program of PROGRAMS) {
    const { code } = await sandbox.run({ command: ['sh', '-c', `command -v ${program}`], ...probe })
    if (code !== 0) missing.push(program)
  }
  if (missing.length > 0)
    throw new ConverterUnavailable(
      `These programs are missing: ${missing.join(', ')}. Install poppler-utils and ffmpeg.`,
    )
  return sandbox
}
