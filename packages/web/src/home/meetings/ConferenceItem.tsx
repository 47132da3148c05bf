import { CalendarClock, Check, Copy, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { ConferenceFacts } from './ConferenceFacts.tsx'
import styles from './ConferenceItem.module.css'
import type { Conferences } from './conferences.ts'
import type { OwnConference } from './own-conference.ts'
import { PlanForm } from './PlanForm.tsx'
import { RenameForm } from './RenameForm.tsx'

interface Props {
  conference: OwnConference
  conferences: Pick<Conferences, 'rename' | 'plan' | 'setEntry' | 'remove'>
}

/** A conference of the signed-in user, with its actions. */
export function ConferenceItem({ conference, conferences }: Props) {
  const { t } = useTexts()
  const { go } = useSite()
  const { tag, title, link, entry, live } = conference
  const item = useRef<HTMLDivElement>(null)
  const [editing, setEditing] = useState<'title' | 'time' | null>(null)
  const [isRequesting, setAsking] = useState(false)
  const { isCopied, copy } = useCopy()
  const [failed, setFailed] = useState(false)

  const copyLink = async () => {
    if (await copy(link)) return
    // The selected address can be copied manually.
    getSelection()?.selectAllChildren(item.current?.querySelector('a') ?? document.body)
  }
  const endEditing = () => {
    setEditing(null)
    item.current?.focus()
  }
  const attempt = async (act: () => Promise<boolean>) => {
    setFailed(false)
    setFailed(!(await act()))
  }
  return (
    <div ref={item} className={styles.item} tabIndex={-1}>
      {editing === 'title' && (
        <RenameForm title={title} rename={typed => conferences.rename(tag, typed)} onClose={endEditing} />
      )}
      {editing === 'time' && (
        <PlanForm conference={conference} plan={conferences.plan} onClose={endEditing} />
      )}
      {editing === null && (
        <>
          <ConferenceFacts conference={conference} onOpen={() => go(`/conferences/${tag}`)} />
          <div className={styles.actions}>
            <Button
              label={live ? t('meetings.joinNamed', { title }) : t('meetings.startNamed', { title })}
              secondary={!live}
              onClick={() => go(`/conferences/${tag}`)}
            >
              {live ? t('prejoin.join') : t('meetings.start')}
            </Button>
            <PanelButton
              icon={isCopied ? Check : Copy}
              label={isCopied ? t('meetings.copied') : t('meetings.copy')}
              onClick={() => void copyLink()}
            />
            <PanelButton
              icon={CalendarClock}
              label={t('meetings.plan', { title })}
              onClick={() => setEditing('time')}
              iconOnly
            />
            <PanelButton
              icon={Pencil}
              label={t('meetings.rename', { title })}
              onClick={() => setEditing('title')}
              iconOnly
            />
            <PanelButton
              icon={Trash2}
              label={t('meetings.remove', { title })}
              onClick={() => setAsking(true)}
              iconOnly
              danger
            />
          </div>
          <Switch
            label={t('meetings.lobby')}
            on={entry === 'lobby'}
            onChange={on => void attempt(() => conferences.setEntry(tag, on ? 'lobby' : 'open'))}
          />
        </>
      )}
      {failed && (
        <p className={styles.failed} role="alert">
          {t('meetings.notDone')}
        </p>
      )}
      {isRequesting && (
        <ConfirmDialog
          question={t('meetings.removeConfirm', { title })}
          verb={t('meetings.removeVerb')}
          cancel={t('room.cancel')}
          danger
          onConfirm={() => void attempt(() => conferences.remove(tag))}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
