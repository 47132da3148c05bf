import { X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { PageFrame } from '../home/shell/PageFrame.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './ConsoleFrame.module.css'
import type { ConsoleApi } from './data/console-api.ts'
import { AdminContext, type Notice } from './use-admin.ts'

interface Props {
  api: ConsoleApi
  title: string
  /** The path of the page above. */
  back?: string | undefined
  /** Notices are about things of one section. */
  section: string
  navigation: ReactNode
  children: ReactNode
}

/** A page with sections: their list beside the section, and what an action has led to above it. */
export function ConsoleFrame({ api, title, back, section, navigation, children }: Props) {
  const { t } = useTexts()
  const [shown, setShown] = useState<{ notice: Notice; in: string } | null>(null)
  const current = useRef(section)
  useEffect(() => {
    current.current = section
  }, [section])
  const admin = useMemo(
    () => ({
      api,
      notify: (notice: Notice | null) => setShown(notice && { notice, in: current.current }),
      searches: new Map(),
    }),
    [api],
  )
  // A notice of another section is about things that are not here.
  const notice = shown?.in === section ? shown.notice : null

  return (
    <AdminContext value={admin}>
      <PageFrame title={title} {...(back !== undefined && { back })}>
        <div className={styles.layout}>
          {navigation}
          <div className={styles.section}>
            <div role="status" className={styles.notices}>
              {notice && (
                <div className={notice.isFailure ? styles.failure : styles.notice}>
                  <p>{notice.text}</p>
                  <IconButton icon={X} label={t('admin.dismiss')} onClick={() => setShown(null)} />
                </div>
              )}
            </div>
            {children}
          </div>
        </div>
      </PageFrame>
    </AdminContext>
  )
}
