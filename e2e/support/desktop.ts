import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { useFolders } from './folders.ts'
import { usePrograms } from './program.ts'
import { waitFor } from './wait.ts'

/**
 * Runs a virtual display and a null sound server for the tests of a file: Firefox's AudioContext needs a sound server,
 * and screen sharing needs a display. Returns the environment variables for programs that use them.
 */
export function useDesktop(): () => Record<string, string> {
  const makeFolder = useFolders()
  const run = usePrograms()
  const env: Record<string, string> = {}
  beforeAll(async () => {
    const screen = run('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x720x24', '-nolisten', 'tcp'])
    const folder = makeFolder()
    const socket = join(folder, 'sound')
    run('pulseaudio', soundServer(socket), { env: { HOME: folder, XDG_RUNTIME_DIR: folder } })
    const [display] = await screen.waitForOutput(/\d+/)
    await waitFor(() => existsSync(socket), 'the sound server listens')
    Object.assign(env, { DISPLAY: `:${display}`, PULSE_SERVER: `unix:${socket}` })
  })
  return () => env
}

const soundServer = (socket: string) => [
  ...['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disable-shm'],
  ...['-L', 'module-null-sink sink_name=speakers sink_properties=device.description=Speakers'],
  ...['-L', 'module-null-sink sink_name=headphones sink_properties=device.description=Headphones'],
  ...['-L', `module-native-protocol-unix auth-anonymous=1 socket=${socket}`],
]
