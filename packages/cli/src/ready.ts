import { execFile } from 'node:child_process'

/** Prints the line of a program that is ready. To systemd it is reported, too: `systemctl start` returns then (decision 239). */
export function reportReady(url: string): void {
  process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`)
  if (!process.env.NOTIFY_SOCKET) return
  execFile('systemd-notify', ['--ready'], error => {
    if (error) process.stderr.write(`systemd was not notified: ${error.message}\n`)
  })
}
