import { execFile } from 'node:child_process'

/**
 * The report of a program that is ready: a line on standard output, and to systemd, whose `systemctl start` returns then (decision
 * 239). MUST be called before other programs are started: coturn, for one, would report itself in place of the server.
 */
export function takeReadiness(): (url: string) => void {
  const { NOTIFY_SOCKET } = process.env
  delete process.env.NOTIFY_SOCKET
  return url => {
    process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`)
    if (!NOTIFY_SOCKET) return
    execFile('systemd-notify', ['--ready'], { env: { ...process.env, NOTIFY_SOCKET } }, error => {
      if (error) process.stderr.write(`systemd was not notified: ${error.message}\n`)
    })
  }
}
