import { Lock, MonitorUp, TriangleAlert } from 'lucide-react'
import type { Call } from '../../call/call.ts'
import { carriesMedia } from '../../call/media/media-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from './ControlButton.tsx'

interface Props {
  call: Pick<Call, 'media' | 'local'>
  isPermitted: boolean
}

/** Phones cannot: the button is not offered there. What else prevents sharing is explained when it is pressed. */
export const canShareScreen = (): boolean => navigator.mediaDevices?.getDisplayMedia !== undefined

/** Shares the screen, or ends that. */
export function ShareButton({ call: { media, local }, isPermitted }: Props) {
  const { t } = useTexts()
  const { screenShare } = local
  const { on, busy } = useValue(screenShare)
  const publisher = useValue(local.publishers.screen)
  const isTransportUp = carriesMedia(useValue(media.transport))
  if (!on && !isPermitted)
    return (
      <ControlButton
        icon={MonitorUp}
        label={t('room.screen')}
        caption={t('bar.share')}
        hint={t('moderation.forbidden.screen')}
        isOn={false}
        isForbidden
        badge={<Lock role="img" aria-label={t('moderation.forbidden.screen')} />}
      />
    )
  const isProblem = on && (publisher === 'problem' || !isTransportUp)
  const hint = on ? t('room.stopSharing') : t('room.share')
  return (
    <ControlButton
      icon={MonitorUp}
      label={t('room.screen')}
      caption={t('bar.share')}
      hint={isProblem ? t('room.notSent.screen') : hint}
      isOn={on}
      shortcut="S"
      isBusy={busy || (on && publisher === 'pending')}
      badge={isProblem ? <TriangleAlert role="img" aria-label={t('room.notSent.screen')} /> : undefined}
      onClick={() => (on ? screenShare.stop() : void screenShare.start())}
    />
  )
}
