import { LANGUAGES } from '@lectern/protocol'
import { sender } from './addresses.ts'
import { ConfigError } from './ini.ts'
import { flag, type Key, oneOf } from './values.ts'

/** The address of an SMTP server. Error messages never contain the value, which may have a password. */
const smtpUrl = (description: string): Key<string> => {
  const form = 'an address such as smtp://USER:PASSWORD@mail.example.org:587 or smtps://mail.example.org'
  return {
    description,
    form,
    fallback: '',
    isSecret: true,
    parse: value => {
      if (!/^smtps?:\/\//.test(value) || !URL.canParse(value) || new URL(value).hostname === '')
        throw new Error(form)
      return value
    },
  }
}

/** Keys of [Mail]. */
export const mailKeys = {
  Url: smtpUrl(
    'SMTP server through which invitations, links to reset a password, and missed calls are sent; empty means that no mail is sent. smtp:// uses STARTTLS where the server offers it, or always with RequireTls.',
  ),
  RequireTls: flag(
    'Whether smtp:// is used over STARTTLS only: a server that does not offer it gets no mail then. Otherwise whoever can change what is sent on the way reads password and links.',
    false,
  ),
  From: sender('Sender of mails: an address, or a name and an address in angle brackets.'),
  Language: oneOf('Language of mails to people who have chosen none.', 'en', LANGUAGES),
}

/** The settings of a Mailer. */
export const mailerSettings = ({
  Url,
  From,
  RequireTls,
}: {
  Url: string
  From: string
  RequireTls: boolean
}) => ({ url: Url, from: From, requireTls: RequireTls })

/** Throws a ConfigError if keys of [Mail] contradict each other. */
export function checkMail({ Url, From }: { Url: string; From: string }): void {
  if (Url !== '' && From === '') throw new ConfigError('[Mail] Url needs From, the address of the sender')
}
