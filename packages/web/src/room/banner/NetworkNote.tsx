import { Gauge } from 'lucide-react'
import type { Call } from '../../call/call.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import styles from './Banner.module.css'
import { BannerText } from './BannerText.tsx'
import { networkNotes } from './network-notes.ts'

/** Why the quality is reduced: what the own connection leaves of the call. */
export function NetworkNote({ call }: { call: Call }) {
  const { t } = useTexts()
  const network = useValue(call.network)
  const isCameraHeld = useValue(call.local.isCameraHeld)
  const isConnected = useValue(call.recovery).is === 'connected'
  const notes = isConnected ? networkNotes(network, isCameraHeld) : []
  return (
    <div role="status">
      {notes.length > 0 && (
        <div className={styles.banner}>
          <BannerText icon={Gauge}>{notes.map(note => t(`network.${note}`)).join(' ')}</BannerText>
        </div>
      )}
    </div>
  )
}
