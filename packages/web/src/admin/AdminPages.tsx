import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { homePath } from '../address.ts'
import { PageFrame } from '../home/shell/PageFrame.tsx'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './AdminPages.module.css'
import { AdminApi } from './data/admin-api.ts'
import { SectionNavigation } from './navigation/SectionNavigation.tsx'
import { OverviewSection } from './overview/OverviewSection.tsx'
import { isSection, type SectionName } from './section-names.ts'
import { sections } from './sections.ts'
import { AdminContext, type Notice } from './use-admin.ts'

/** The pages below /admin: the overview, and a section for each kind of thing. `parts`: the section, and an id. */
export function AdminPages({ parts }: { parts: readonly string[] }) {
  const { t } = useTexts()
  const { account } = useSite()
  const [name = '', id] = parts
  const [shown, setShown] = useState<{ notice: Notice; in: string } | null>(null)
  const current = useRef(name)
  useEffect(() => {
    current.current = name
  }, [name])
  const admin = useMemo(
    () => ({
      api: new AdminApi(account),
      notify: (notice: Notice | null) => setShown(notice && { notice, in: current.current }),
      searches: new Map(),
    }),
    [account],
  )
  // Of another section, it is about things that are not here.
  const notice = shown?.in === name ? shown.notice : null
  const section: SectionName | null = isSection(name) ? name : null
  const Section = section ? sections[section] : OverviewSection
  const title = section ? t(`admin.sections.${section}`) : t('admin.title')
  const back = section ? (id === undefined ? homePath('admin') : homePath('admin', section)) : undefined

  return (
    <AdminContext value={admin}>
      <PageFrame title={title} {...(back !== undefined && { back })}>
        <div className={styles.layout}>
          <SectionNavigation section={section} />
          <div className={styles.section}>
            <div role="status" className={styles.notices}>
              {notice && (
                <div className={notice.isFailure ? styles.failure : styles.notice}>
                  <p>{notice.text}</p>
                  <IconButton icon={X} label={t('admin.dismiss')} onClick={() => setShown(null)} />
                </div>
              )}
            </div>
            <Section key={parts.join('/')} id={id ?? null} />
          </div>
        </div>
      </PageFrame>
    </AdminContext>
  )
}
