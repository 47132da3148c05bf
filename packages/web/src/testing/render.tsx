import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { page } from 'vitest/browser'
import { render as renderReact } from 'vitest-browser-react'
import { SiteContext } from '../site/use-site.ts'
import type { LanguageName } from '../texts/languages.ts'
import { createTestSite } from './test-site.ts'

export type Size = readonly [width: number, height: number]

export const DESKTOP: Size = [1280, 720]
export const PHONE: Size = [320, 568]

type TestSite = Awaited<ReturnType<typeof createTestSite>>

export interface RenderOptions {
  language?: LanguageName
  theme?: 'light' | 'dark'
  size?: Size
  /** In place of the parts of a fresh site. */
  site?: Partial<TestSite>
}

/** Renders components as the pages do: with the site, its texts and styles, in a window of the given size. */
export async function render(
  content: ReactNode,
  { language, theme = 'light', size = DESKTOP, site: parts }: RenderOptions = {},
) {
  await page.viewport(...size)
  const site = await createTestSite(language, parts)
  site.theme.choose(theme)
  const screen = await renderReact(
    <I18nextProvider i18n={site.language.texts}>
      <SiteContext value={site}>{content}</SiteContext>
    </I18nextProvider>,
  )
  return { ...screen, site }
}
