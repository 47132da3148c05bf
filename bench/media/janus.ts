import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@lectern/server/testing'
import { type Program, startExternalServer } from '../support/program.ts'

/** All plugins and transports except for the video room and WebSocket. */
const PLUGINS = 'audiobridge duktape echotest lua nosip recordplay sip streaming textroom videocall voicemail'
const TRANSPORTS = 'http mqtt nanomsg pfunix rabbitmq'
const disable = (names: string) =>
  names
    .split(' ')
    .map(name => `libjanus_${name}.so`)
    .join(',')

/** Runs Debian's Janus with its own configuration on the loopback device. */
export async function startJanus(folder: string): Promise<{ url: string; program: Program }> {
  const port = await freePort()
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'janus.jcfg'),
    `
general: { debug_level = 2, interface = "127.0.0.1", log_to_stdout = true }
media: { rtp_port_range = "20000-40000" }
nat: { ice_enforce_list = "127.0.0.1", ice_ignore_list = "" }
plugins: { disable = "${disable(PLUGINS)}" }
transports: { disable = "${disable(TRANSPORTS)}" }
loggers: { disable = "libjanus_jsonlog.so" }
`,
  )
  writeFileSync(
    join(folder, 'janus.transport.websockets.jcfg'),
    `general: { json = "compact", ws = true, ws_port = ${port}, ws_ip = "127.0.0.1", wss = false }\n`,
  )
  writeFileSync(join(folder, 'janus.plugin.videoroom.jcfg'), 'general: { string_ids = true }\n')
  const args = ['-F', folder, '--disable-colors']
  const program = await startExternalServer({ command: 'janus', args, port, package: 'janus' })
  return { url: `ws://127.0.0.1:${port}`, program }
}
