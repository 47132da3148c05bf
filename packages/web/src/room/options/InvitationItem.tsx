import { Check, Link } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { copyText } from '../../ui/copy-text.ts'
import { MenuItem } from '../../ui/MenuItem.tsx'
import styles from './InvitationItem.module.css'

/** Copies the address of the room. Where the browser does not allow that, it is shown. */
export function InvitationItem({ url }: { url: string }) {
  const { t } = useTexts()
  const [outcome, setOutcome] = useState<'copied' | 'shown' | null>(null)
  const copy = async () => setOutcome((await copyText(url)) ? 'copied' : 'shown')
  return (
    <>
      <MenuItem icon={outcome === 'copied' ? Check : Link} onClick={() => void copy()}>
        {t('options.copyInvitation')}
      </MenuItem>
      <p role="status" className={styles.outcome}>
        {outcome === 'copied' && t('options.invitationCopied')}
        {outcome === 'shown' && <span className={styles.address}>{url}</span>}
      </p>
    </>
  )
}
