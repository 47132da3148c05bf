import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { CHAT_HISTORY_MAX, type CommandData } from '@lectern/protocol/control'
import { WebSocket } from 'ws'
import { waitFor } from '../cluster/testing.ts'
import type { ClusterServer } from './cluster.ts'

/** Joins again at each new start of its connection, as pages do. */
export class ClusterParticipant {
  readonly client: ControlClient
  readonly texts: string[] = []
  readonly joins: CommandData<'conference.join'>[] = []

  constructor(server: Pick<ClusterServer, 'url'>, token: string, tag: string, hint = true) {
    this.client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async hasFailed => (hasFailed ? null : token),
      client: { name: 'test', version: '1', platform: 'node' },
      ...(hint && { conference: tag }),
    })
    this.client.onEvent(({ name, body }) => {
      if (name === 'chat.message') this.texts.push((body as { message: { text: string } }).message.text)
    })
    this.client.onStart(() => {
      const joining = this.client.command('conference.join', { kind: 'conference', id: tag }, {})
      joining.then(
        joined => this.joins.push(joined),
        () => {},
      )
    })
    this.client.open()
  }

  get sessions(): string[] {
    return this.joins.map(({ conference_session_id }) => conference_session_id)
  }

  joined = (count: number) => waitFor(() => this.sessions.length >= count, `join number ${count}`)

  say(text: string) {
    const id = this.sessions.at(-1) as string
    return this.client.command('chat.send', { kind: 'conference_session', id }, { text })
  }

  /** The texts of all messages of the session. */
  async history(): Promise<string[]> {
    const target = { kind: 'conference_session' as const, id: this.sessions.at(-1) as string }
    const texts: string[] = []
    let before: string | undefined
    do {
      const params = { limit: CHAT_HISTORY_MAX, ...(before && { before }) }
      const page: CommandData<'chat.history'> = await this.client.command('chat.history', target, params)
      texts.unshift(...page.messages.map(({ text }) => text))
      before = page.has_older ? page.messages[0]?.message_id : undefined
    } while (before)
    return texts
  }
}
