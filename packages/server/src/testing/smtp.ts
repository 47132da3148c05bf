import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string
  /** The message as it was sent, the soft line breaks of its body removed. */
  content: string
}

/**
 * A real SMTP server that keeps what it receives, and refuses recipients at unknown.example. It accepts a mail when `accept`
 * resolves, and answers with the `responseCode` of its error otherwise.
 */
export async function startSmtpServer(accept: (mail: ReceivedMail) => Promise<void> = async () => {}) {
  const mails: ReceivedMail[] = []
  const smtp = new SMTPServer({
    hideSTARTTLS: true,
    authOptional: true,
    onRcptTo: ({ address }, _session, done) =>
      done(address.endsWith('@unknown.example') ? new Error(`<${address}>: no such mailbox`) : null),
    onData: (stream, { envelope }, done) => {
      const receive = async () => {
        const [head = '', ...body] = (await text(stream)).split('\r\n\r\n')
        const content = [head, ...body.map(each => each.replace(/=\r\n/g, ''))].join('\r\n\r\n')
        const mail = { to: envelope.rcptTo.map(({ address }) => address).join(), content }
        await accept(mail)
        mails.push(mail)
      }
      receive().then(() => done(), done)
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
