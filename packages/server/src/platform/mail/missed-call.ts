import type { Language } from '@lectern/protocol'
import { fill, type MailText } from './texts.ts'

const texts: Record<Language, MailText> = {
  ar: {
    subject: 'مكالمة فائتة من {caller}',
    text: 'مرحبًا {name}،\n\nاتصل بك {caller} في {time} ولم ترد. تجد مكالماتك هنا:\n\n{link}\n\nتصلك هذه الرسالة لأنك اخترت ذلك في الإعدادات، ويمكنك إيقافها هناك:\n\n{settings}',
  },
  de: {
    subject: 'Verpasster Anruf von {caller}',
    text: 'Guten Tag, {name},\n\n{caller} hat Sie angerufen ({time}), und Sie haben nicht geantwortet. Ihre Anrufe finden Sie hier:\n\n{link}\n\nSie bekommen diese E-Mail, weil Sie es in den Einstellungen so gewählt haben. Dort können Sie sie auch abstellen:\n\n{settings}',
  },
  en: {
    subject: 'Missed call from {caller}',
    text: 'Hello {name},\n\n{caller} called you ({time}), and you did not answer. Your calls are here:\n\n{link}\n\nYou are getting this email because you turned it on in your settings. You can turn it off there, too:\n\n{settings}',
  },
  es: {
    subject: 'Llamada perdida de {caller}',
    text: 'Hola, {name}:\n\n{caller} le ha llamado ({time}) y usted no ha contestado. Aquí están sus llamadas:\n\n{link}\n\nRecibe este correo porque así lo ha elegido en los ajustes, donde también puede desactivarlo:\n\n{settings}',
  },
  fr: {
    subject: 'Appel manqué de {caller}',
    text: 'Bonjour {name},\n\n{caller} vous a appelé ({time}) et vous n’avez pas répondu. Vos appels se trouvent ici :\n\n{link}\n\nVous recevez ce message parce que vous l’avez choisi dans les paramètres, où vous pouvez aussi le désactiver :\n\n{settings}',
  },
  pt: {
    subject: 'Chamada perdida de {caller}',
    text: 'Olá, {name}!\n\n{caller} ligou para você ({time}) e você não atendeu. As suas chamadas estão aqui:\n\n{link}\n\nVocê recebe este e-mail porque o escolheu nas configurações, onde também pode desativá-lo:\n\n{settings}',
  },
  ru: {
    subject: 'Пропущенный звонок: {caller}',
    text: 'Здравствуйте, {name}!\n\nВам звонил пользователь {caller} ({time}), но вы не ответили. Ваши звонки:\n\n{link}\n\nВы получаете это письмо, потому что выбрали это в настройках. Там же его можно отключить:\n\n{settings}',
  },
  tr: {
    subject: 'Cevapsız arama: {caller}',
    text: 'Merhaba {name},\n\n{caller} sizi aradı ({time}) ve yanıt vermediniz. Aramalarınız burada:\n\n{link}\n\nBu e-postayı ayarlarda böyle seçtiğiniz için alıyorsunuz; orada kapatabilirsiniz:\n\n{settings}',
  },
}

export interface MissedCall {
  name: string
  /** The name that the caller has chosen. */
  caller: string
  /** Unix milliseconds. */
  calledAtMs: number
  /** The page with the calls. */
  link: string
  /** The page with the settings. */
  settings: string
}

const TIME: Intl.DateTimeFormatOptions = {
  ...{ day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  ...{ timeZone: 'UTC', timeZoneName: 'short' },
}

/** The mail about a call that was not answered. What the caller calls themselves cannot become a link in it. */
export function missedCallMail(language: Language, { calledAtMs, caller, ...values }: MissedCall): MailText {
  const time = new Intl.DateTimeFormat(language, TIME).format(calledAtMs)
  return fill(texts[language], { ...values, time: isolate(time), caller: isolate(withoutLinks(caller)) })
}

/** Mail programs turn `://`, `www.` and `name.example` into links. */
const withoutLinks = (name: string) => name.replace(/[:/\\@]+/g, ' ').replace(/\.(?=\S)/g, '. ')

/** A text whose direction has no effect on the text around it (FIRST STRONG ISOLATE, POP DIRECTIONAL ISOLATE). */
const isolate = (text: string) => `\u2068${text}\u2069`
