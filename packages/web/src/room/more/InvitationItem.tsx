import { Check, Link } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { copyText } from '../../ui/copy-text.ts'
import { PopupItem } from '../popup/PopupItem.tsx'
import styles from './InvitationItem.module.css'

/** Copies the address of the room. Where the browser does not allow that, it is shown. */
export function InvitationItem({ url }: { url: string }) {
  const { t } = useTexts()
  const [outcome, setOutcome] = useState<'copied' | 'shown' | null>(null)
  const copy = async () => setOutcome((await copyText(url)) ? 'copied' : 'shown')
  return (
    <div data-stays>
      <PopupItem icon={outcome === 'copied' ? Check : Link} onClick={() => void copy()}>
        {t('options.copyInvitation')}
      </PopupItem>
      <p role="status" className={styles.outcome}>
        {outcome === 'copied' && t('options.invitationCopied')}
        {outcome === 'shown' && <span className={styles.address}>{url}</span>}
      </p>
    </div>
  )
}
