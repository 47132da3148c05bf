import type { Language } from '@lectern/protocol'

/** A mail; names and links are inserted for `{name}`, `{login}`, `{link}`, `{until}` and `{server}`. */
interface MailText {
  subject: string
  text: string
}

const invitation: Record<Language, MailText> = {
  ar: {
    subject: 'حسابك في {server}',
    text: 'مرحبًا {name}،\n\nاسم المستخدم الخاص بك هو {login}. افتح هذا الرابط مرة واحدة لاختيار كلمة مرور:\n\n{link}\n\nالرابط صالح حتى {until}. لا ترسله إلى أي شخص.',
  },
  de: {
    subject: 'Ihr Konto bei {server}',
    text: 'Guten Tag, {name},\n\nIhr Benutzername ist {login}. Öffnen Sie diesen Link einmal, um ein Passwort zu wählen:\n\n{link}\n\nDer Link gilt bis {until}. Geben Sie ihn an niemanden weiter.',
  },
  en: {
    subject: 'Your account at {server}',
    text: 'Hello {name},\n\nYour user name is {login}. Open this link once to choose a password:\n\n{link}\n\nThe link is valid until {until}. Send it to nobody else.',
  },
  es: {
    subject: 'Su cuenta en {server}',
    text: 'Hola, {name}:\n\nSu nombre de usuario es {login}. Abra este enlace una vez para elegir una contraseña:\n\n{link}\n\nEl enlace es válido hasta el {until}. No se lo envíe a nadie.',
  },
  fr: {
    subject: 'Votre compte sur {server}',
    text: 'Bonjour {name},\n\nVotre nom d’utilisateur est {login}. Ouvrez ce lien une fois pour choisir un mot de passe :\n\n{link}\n\nLe lien est valable jusqu’au {until}. Ne le transmettez à personne.',
  },
  pt: {
    subject: 'A sua conta em {server}',
    text: 'Olá, {name}!\n\nO seu nome de utilizador é {login}. Abra esta ligação uma vez para escolher uma palavra-passe:\n\n{link}\n\nA ligação é válida até {until}. Não a envie a ninguém.',
  },
  ru: {
    subject: 'Ваша учётная запись на {server}',
    text: 'Здравствуйте, {name}!\n\nВаше имя пользователя: {login}. Откройте эту ссылку один раз, чтобы выбрать пароль:\n\n{link}\n\nСсылка действительна до {until}. Никому её не пересылайте.',
  },
  tr: {
    subject: '{server} hesabınız',
    text: 'Merhaba {name},\n\nKullanıcı adınız: {login}. Parola seçmek için bu bağlantıyı bir kez açın:\n\n{link}\n\nBağlantı şu tarihe kadar geçerlidir: {until}. Kimseye göndermeyin.',
  },
}

export interface InvitationMail {
  name: string
  login: string
  link: string
  /** Unix seconds. */
  expiresAt: number
}

/** The mail with the link that sets the password of an account, new or not. */
export function invitationMail(
  language: Language,
  { name, login, link, expiresAt }: InvitationMail,
): MailText {
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    expiresAt * 1000,
  )
  const values: Record<string, string> = { name, login, link, until, server: new URL(link).hostname }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '')
  const { subject, text } = invitation[language]
  return { subject: fill(subject), text: fill(text) }
}
