import type { i18n } from 'i18next'
import { I18nextProvider } from 'react-i18next'
import { LinkPage } from './link/LinkPage.tsx'
import type { Link } from './link/link.ts'
import { NowherePage } from './nowhere/NowherePage.tsx'

interface Props {
  /** Null where the address names no link. */
  link: Link | null
  texts: i18n
}

export function App({ link, texts }: Props) {
  return <I18nextProvider i18n={texts}>{link ? <LinkPage link={link} /> : <NowherePage />}</I18nextProvider>
}
