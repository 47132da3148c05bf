import type { Language } from '@lectern/protocol'

/** A mail; values are inserted for names in braces, such as `{name}` and `{link}`. */
export interface MailText {
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
    text: 'Olá, {name}!\n\nO seu nome de usuário é {login}. Abra este link uma vez para escolher uma senha:\n\n{link}\n\nO link é válido até {until}. Não o envie a ninguém.',
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

const reset: Record<Language, MailText> = {
  ar: {
    subject: 'كلمة مرور جديدة لـ {server}',
    text: 'مرحبًا {name}،\n\nطلب شخص ما كلمة مرور جديدة للحساب {login}. إذا كنت أنت من طلبها، فافتح هذا الرابط لاختيارها:\n\n{link}\n\nالرابط صالح لمدة ساعة واحدة ولاستخدام واحد. إذا لم تطلب ذلك، فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  },
  de: {
    subject: 'Neues Passwort für {server}',
    text: 'Guten Tag, {name},\n\njemand hat ein neues Passwort für das Konto {login} angefordert. Wenn Sie es waren, öffnen Sie diesen Link, um es zu wählen:\n\n{link}\n\nDer Link gilt eine Stunde und einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
  en: {
    subject: 'New password for {server}',
    text: 'Hello {name},\n\nSomebody has requested a new password for the account {login}. If it was you, open this link to choose one:\n\n{link}\n\nThe link is valid for one hour, and works once. If it was not you, do nothing: your password stays as it is.',
  },
  es: {
    subject: 'Nueva contraseña para {server}',
    text: 'Hola, {name}:\n\nAlguien ha solicitado una nueva contraseña para la cuenta {login}. Si ha sido usted, abra este enlace para elegirla:\n\n{link}\n\nEl enlace es válido durante una hora y funciona una sola vez. Si no ha sido usted, no haga nada: su contraseña no cambia.',
  },
  fr: {
    subject: 'Nouveau mot de passe pour {server}',
    text: 'Bonjour {name},\n\nQuelqu’un a demandé un nouveau mot de passe pour le compte {login}. Si c’était vous, ouvrez ce lien pour le choisir :\n\n{link}\n\nLe lien est valable une heure et ne fonctionne qu’une fois. Si ce n’était pas vous, ne faites rien : votre mot de passe reste inchangé.',
  },
  pt: {
    subject: 'Nova senha para {server}',
    text: 'Olá, {name}!\n\nAlguém pediu uma nova senha para a conta {login}. Se foi você, abra este link para escolhê-la:\n\n{link}\n\nO link vale por uma hora e funciona uma só vez. Se não foi você, não faça nada: a sua senha não muda.',
  },
  ru: {
    subject: 'Новый пароль для {server}',
    text: 'Здравствуйте, {name}!\n\nКто-то запросил новый пароль для учётной записи {login}. Если это были вы, откройте эту ссылку, чтобы выбрать его:\n\n{link}\n\nСсылка действует один час и срабатывает один раз. Если это были не вы, ничего не делайте: ваш пароль останется прежним.',
  },
  tr: {
    subject: '{server} için yeni parola',
    text: 'Merhaba {name},\n\nBirisi {login} hesabı için yeni bir parola istedi. Bu sizseniz, parolayı seçmek için bu bağlantıyı açın:\n\n{link}\n\nBağlantı bir saat geçerlidir ve yalnızca bir kez çalışır. Bu siz değilseniz bir şey yapmayın: parolanız olduğu gibi kalır.',
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
  return fill(invitation[language], { name, login, link, until, server: new URL(link).hostname })
}

/** The mail to somebody who has forgotten the password. */
export const resetMail = (
  language: Language,
  { name, login, link }: Omit<InvitationMail, 'expiresAt'>,
): MailText => fill(reset[language], { name, login, link, server: new URL(link).hostname })

/** A value is never read as a template itself. */
export function fill({ subject, text }: MailText, values: Record<string, string>): MailText {
  const replaced = (template: string) => template.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '')
  return { subject: replaced(subject), text: replaced(text) }
}
