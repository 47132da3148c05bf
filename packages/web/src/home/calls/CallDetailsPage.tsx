import type { CallInfo } from '@lectern/protocol/control/client'
import { PhoneOff } from 'lucide-react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { roleIn } from '../../calls/facts.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { PageFrame } from '../shell/PageFrame.tsx'
import { CallSummary } from './CallSummary.tsx'
import { OutgoingCall } from './OutgoingCall.tsx'
import { useCall } from './use-call.ts'

/** One call: what the caller sees while it rings, how to join it while it lasts, and how it went. */
export function CallDetailsPage({ callId }: { callId: string }) {
  const { t } = useTexts()
  const { go } = useSite()
  const { call, reload } = useCall(callId)
  return (
    <PageFrame title={t('home.pages.calls')} back={homePath('calls')}>
      {call === 'loading' && <p role="status">{t('calls.list.loading')}</p>}
      {call === 'failed' && (
        <Message isPart icon={PhoneOff} title={t('calls.list.failed')} text="">
          <Button secondary onClick={reload}>
            {t('calls.list.retry')}
          </Button>
        </Message>
      )}
      {call === null && (
        <Message isPart icon={PhoneOff} title={t('calls.page.notFound')} text={t('calls.page.notFoundText')}>
          <Button secondary onClick={() => go(homePath('calls'))}>
            {t('calls.page.back')}
          </Button>
        </Message>
      )}
      {call !== null && typeof call === 'object' && <KnownCall call={call} />}
    </PageFrame>
  )
}

function KnownCall({ call }: { call: CallInfo }) {
  const { userId } = useConnection()
  const isOutgoing = call.state === 'ringing' && roleIn(call, userId) === 'inviter'
  return isOutgoing ? <OutgoingCall call={call} /> : <CallSummary call={call} />
}
