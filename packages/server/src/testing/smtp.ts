import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string
  /** The message as it was sent, its soft line breaks removed. */
  content: string
}

/** A real SMTP server that keeps what it receives, and refuses recipients at unknown.example. */
export async function startSmtpServer() {
  const mails: ReceivedMail[] = []
  const smtp = new SMTPServer({
    hideSTARTTLS: true,
    authOptional: true,
    onRcptTo: ({ address }, _session, done) =>
      done(address.endsWith('@unknown.example') ? new Error('no such mailbox') : null),
    onData: (stream, { envelope }, done) => {
      void text(stream).then(content => {
        const to = envelope.rcptTo.map(({ address }) => address).join()
        mails.push({ to, content: content.replace(/=\r\n/g, '') })
        done()
      })
    },
  })
  const server = smtp.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    mails,
    /** The section of the configuration. */
    settings: { Url: `smtp://127.0.0.1:${port}`, From: 'Example School <meet@school.example>' },
    close: () => new Promise<void>(resolve => smtp.close(() => resolve())),
  }
}
