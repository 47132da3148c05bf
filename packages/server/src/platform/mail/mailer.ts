import { Readable } from 'node:stream'
import { createTransport, type Transporter } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

export interface Mail {
  to: string
  subject: string
  text: string
  /** Equal for repetitions of a mail, by which mail programs recognise them. Without it, each has another one. */
  messageId?: string
  /** An https address to which a mail program sends a POST when its user wants no more of them (RFC 8058). */
  unsubscribeUrl?: string
}

const TIMEOUT_MS = 15_000
const CONNECTIONS = 3

type ConnectionOptions = SMTPConnection.Options & { auth?: SMTPConnection.Credentials }

/** Reserved (RFC 6761): whether the server accepts it says nothing. */
const NOBODY = 'nobody@lectern.invalid'

/** A mail without an end, which a server does not deliver (RFC 5321, section 4.1.1.4). */
const neverSent = () =>
  new Readable({
    read() {
      this.destroy(new Error('the mail is broken off'))
    },
  })

/** Sends mails through an SMTP server. */
export class Mailer {
  readonly #transport: Transporter
  readonly #from: string

  /** The sender without a name. */
  get #address(): string {
    return /<([^>]*)>/.exec(this.#from)?.[1] ?? this.#from.trim()
  }

  /**
   * `url`: smtp:// (with STARTTLS where the server offers it, or always with `requireTls`) or smtps://, with user name and
   * password if needed.
   */
  constructor({ url, from, requireTls }: { url: string; from: string; requireTls: boolean }) {
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    const pool = { pool: true, maxConnections: CONNECTIONS } as const
    this.#transport = createTransport({ url, requireTLS: requireTls, ...pool, ...timeouts })
    this.#from = from
  }

  /** Rejects with the reason if the server does not accept the mail. Its later fate is unknown. */
  async send({ unsubscribeUrl, ...mail }: Mail): Promise<void> {
    const headers = {
      'Auto-Submitted': 'auto-generated', // no notes of absence (RFC 3834)
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    }
    await this.#transport.sendMail({ from: this.#from, ...mail, headers })
  }

  /** Why no mail can be sent; null if the server can be used, and accepts the sender. Nothing is delivered. */
  async check(): Promise<string | null> {
    const { options } = this.#transport.transporter as unknown as { options: ConnectionOptions }
    const connection = new SMTPConnection(options)
    try {
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject)
        const settle = (error?: Error | null) => (error ? reject(error) : resolve())
        const begin = () => connection.send({ from: this.#address, to: NOBODY }, neverSent(), settle)
        connection.connect(failure => {
          if (failure) reject(failure)
          else if (options.auth) connection.login(options.auth, error => (error ? reject(error) : begin()))
          else begin()
        })
      })
      return null
    } catch (error) {
      const { message, command, code } = error as Error & { command?: string; code?: string }
      return command === 'RCPT TO' || code === 'ESTREAM' ? null : message
    } finally {
      connection.close()
    }
  }

  close(): void {
    this.#transport.close()
  }
}
