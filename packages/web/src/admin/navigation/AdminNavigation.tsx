import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { GROUP_NAMES, GROUPS, type SectionName } from '../section-names.ts'
import { SectionNavigation } from './SectionNavigation.tsx'

/** The sections of the administration in groups. `section`: null for the overview. */
export function AdminNavigation({ section }: { section: SectionName | null }) {
  const { t } = useTexts()
  const itemOf = (name: SectionName | 'overview') => ({
    key: name,
    label: t(`admin.sections.${name}`),
    href: name === 'overview' ? homePath('admin') : homePath('admin', name),
  })
  const groups = GROUP_NAMES.map(group => ({
    name: t(`adminPages.groups.${group}`),
    items: GROUPS[group].map(itemOf),
  }))
  return (
    <SectionNavigation
      label={t('admin.navigation')}
      current={section ?? 'overview'}
      groups={[{ name: null, items: [itemOf('overview')] }, ...groups]}
    />
  )
}
