import { Lock, MonitorUp, TriangleAlert } from 'lucide-react'
import type { Call } from '../../call/call.ts'
import { carriesMedia } from '../../call/media/media-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { ControlButton } from './ControlButton.tsx'

interface Props {
  call: Pick<Call, 'media' | 'local'>
  isPermitted: boolean
}

/** Renders nothing where the browser cannot share a screen, as on phones. */
export function ShareButton({ call: { media, local }, isPermitted }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { on, busy } = useValue(local.screenShare)
  const publisher = useValue(local.publishers.screen)
  const isTransportUp = carriesMedia(useValue(media.transport))
  if (!canShare()) return null
  if (!on && !isPermitted)
    return (
      <ControlButton
        icon={MonitorUp}
        label={t('room.screen')}
        hint={t('moderation.forbidden.screen', moderator)}
        isOn={false}
        isForbidden
        badge={<Lock role="img" aria-label={t('moderation.forbidden.screen', moderator)} />}
      />
    )
  const isProblem = on && (publisher === 'problem' || !isTransportUp)
  const hint = on ? t('room.stopSharing') : t('room.share')
  return (
    <ControlButton
      icon={MonitorUp}
      label={t('room.screen')}
      hint={isProblem ? t('room.notSent.screen') : hint}
      isOn={on}
      isBusy={busy || (on && publisher === 'pending')}
      badge={isProblem ? <TriangleAlert role="img" aria-label={t('room.notSent.screen')} /> : undefined}
      onClick={() => (on ? local.screenShare.stop() : void local.screenShare.start())}
    />
  )
}

const canShare = () => navigator.mediaDevices?.getDisplayMedia !== undefined
