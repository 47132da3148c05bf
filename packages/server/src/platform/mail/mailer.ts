import { createTransport, type Transporter } from 'nodemailer'

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

/** Sends mails through an SMTP server. */
export class Mailer {
  readonly #transport: Transporter
  readonly #from: string

  /** `url`: smtp:// (with STARTTLS where the server offers it) or smtps://, with user name and password if needed. */
  constructor({ url, from }: { url: string; from: string }) {
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    this.#transport = createTransport({ url, pool: true, maxConnections: CONNECTIONS, ...timeouts })
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

  /** Why no mail can be sent; null if the server can be used. */
  async check(): Promise<string | null> {
    return this.#transport.verify().then(
      () => null,
      (error: Error) => error.message,
    )
  }

  close(): void {
    this.#transport.close()
  }
}
