import { MonitorUp, TriangleAlert } from 'lucide-react'
import type { Call } from '../../call/call.ts'
import { carriesMedia } from '../../call/media/media-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from './ControlButton.tsx'

/** Renders nothing where the browser cannot share a screen, as on phones. */
export function ShareButton({ call: { media, local } }: { call: Pick<Call, 'media' | 'local'> }) {
  const { t } = useTexts()
  const { on, busy } = useValue(local.screenShare)
  const publisher = useValue(local.publishers.screen)
  const isTransportUp = carriesMedia(useValue(media.transport))
  if (!canShare()) return null
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
