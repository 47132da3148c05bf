import type { CallInfo } from '@lectern/protocol/control/client'
import { Bell, BellOff, PhoneCall, PhoneOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { CallPeopleDialog } from '../../calls/CallPeopleDialog.tsx'
import { useCallActions } from '../../calls/use-calls.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { HeaderButton } from '../../ui/HeaderButton.tsx'
import { VirtualList } from '../../ui/VirtualList.tsx'
import { useValue } from '../../use-value.ts'
import { useLists } from '../lists.ts'
import { PageFrame } from '../shell/PageFrame.tsx'
import { CallDetailsPage } from './CallDetailsPage.tsx'
import { CallItem } from './CallItem.tsx'
import styles from './CallsPage.module.css'

/** All calls of the user, or one of them. */
export function CallsPage({ parts }: { parts: readonly string[] }) {
  const [callId] = parts
  return callId === undefined ? <CallListPage /> : <CallDetailsPage key={callId} callId={callId} />
}

function CallListPage() {
  const { t } = useTexts()
  return (
    <PageFrame
      title={t('home.pages.calls')}
      actions={
        <>
          <GroupCallButton />
          <RingSwitch />
        </>
      }
    >
      <CallList />
    </PageFrame>
  )
}

const ROW_REM = 4.25

const idOf = ({ call_id }: CallInfo) => call_id

function CallList() {
  const { t } = useTexts()
  const { calls: history } = useLists()
  const state = useValue(history)
  useEffect(() => history.open(), [history])
  if (state.is === 'loading') return <p role="status">{t('calls.list.loading')}</p>
  if (state.is === 'failed')
    return (
      <div className={styles.failed} role="alert">
        <p>{t('calls.list.failed')}</p>
        <Button secondary onClick={() => void history.reload()}>
          {t('calls.list.retry')}
        </Button>
      </div>
    )
  if (state.calls.length === 0)
    return <EmptyState icon={PhoneOff} title={t('calls.list.empty')} text={t('calls.list.emptyText')} />
  return (
    <div className={styles.calls}>
      <VirtualList
        label={t('home.pages.calls')}
        items={state.calls}
        keyOf={idOf}
        rowRem={ROW_REM}
        total={state.hasMore ? null : state.calls.length}
        className={styles.list}
      >
        {call => <CallItem call={call} />}
      </VirtualList>
      {state.hasMore && (
        <Button secondary busy={state.isLoadingMore} onClick={() => void history.loadMore()}>
          {t('calls.list.more')}
        </Button>
      )}
    </div>
  )
}

/** Calls one or several contacts. */
function GroupCallButton() {
  const { t } = useTexts()
  const { start } = useCallActions()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <HeaderButton icon={PhoneCall} label={t('calls.choose.title')} onClick={() => setChoosing(true)} />
      {isChoosing && (
        <CallPeopleDialog
          title={t('calls.choose.title')}
          calls={[
            { label: t('calls.choose.video'), start: ids => start(ids, true) },
            { label: t('calls.choose.audio'), start: ids => start(ids, false) },
          ]}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}

function RingSwitch() {
  const { t } = useTexts()
  const { ringSetting } = useSite()
  const isOn = useValue(ringSetting)
  return (
    <HeaderButton
      icon={isOn ? Bell : BellOff}
      label={isOn ? t('calls.list.ringOn') : t('calls.list.ringOff')}
      onClick={ringSetting.toggle}
    />
  )
}
