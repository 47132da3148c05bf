import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { busyBelow } from '../support/processes.ts'
import { enter, openBrowser } from './people.ts'

const DISPLAY = ':97'
const SIZE = '1280x720'

/** A conventional recorder: another browser in the room on a virtual display, captured by ffmpeg. */
export async function startBrowserRecorder(link: string, file: string) {
  const screen = await run('Xvfb', 'xvfb', [DISPLAY, '-screen', '0', `${SIZE}x24`, '-nolisten', 'tcp'])
  await sleep(1_000)
  const browser = await openBrowser(DISPLAY)
  await enter(browser, link, { name: 'Recorder', onlyWatches: true })
  const encoder = await run('ffmpeg', 'ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'x11grab', '-framerate', '25', '-video_size', SIZE, '-i', DISPLAY],
    ...['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'libopus', file],
  ])
  return {
    /** CPU seconds of all its processes. */
    busy: () =>
      [screen.pid, browser.pid, encoder.pid].reduce<number>((sum, pid) => sum + busyBelow(pid as number), 0),
    stop: async () => {
      await end(encoder, 'SIGINT')
      await browser.close()
      await end(screen, 'SIGTERM')
    },
  }
}

async function run(command: string, debianPackage: string, args: string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  await once(child, 'spawn').catch(() => {
    throw new Error(`${command} is missing: apt-get install --no-install-recommends ${debianPackage}`)
  })
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
