import { useTexts } from '../texts/use-texts.ts'
import { Line } from './DeviceNotes.tsx'

/** WebRTC is missing in some builds of WebKit, and where it is turned off. */
const hasWebRtc = () => typeof RTCPeerConnection === 'function'

/** Warns before joining that this browser does not support audio and video. */
export function BrowserNote() {
  const { t } = useTexts()
  if (hasWebRtc()) return null
  return <Line isAlert name={t('prejoin.noWebRtc.title')} text={t('prejoin.noWebRtc.text')} />
}
