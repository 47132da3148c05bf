import { useMemo } from 'react'
import { homePath } from '../address.ts'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { ConsoleFrame } from './ConsoleFrame.tsx'
import { ConsoleApi } from './data/console-api.ts'
import { AdminNavigation } from './navigation/AdminNavigation.tsx'
import { OverviewSection } from './overview/OverviewSection.tsx'
import { isSection, type SectionName } from './section-names.ts'
import { sections } from './sections.ts'

/** The pages below /admin: the overview, and a section for each kind of thing. `parts`: the section, and an id. */
export function AdminPages({ parts }: { parts: readonly string[] }) {
  const { t } = useTexts()
  const { account } = useSite()
  const [name = '', id] = parts
  const api = useMemo(() => new ConsoleApi(account), [account])
  const section: SectionName | null = isSection(name) ? name : null
  const Section = section ? sections[section] : OverviewSection
  const title = section ? t(`admin.sections.${section}`) : t('admin.title')
  const back = section ? (id === undefined ? homePath('admin') : homePath('admin', section)) : undefined

  return (
    <ConsoleFrame
      api={api}
      title={title}
      back={back}
      section={name}
      navigation={<AdminNavigation section={section} />}
    >
      <Section key={parts.join('/')} id={id ?? null} />
    </ConsoleFrame>
  )
}
