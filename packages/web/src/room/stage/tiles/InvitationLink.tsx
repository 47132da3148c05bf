import { Check, Copy } from 'lucide-react'
import { useTexts } from '../../../texts/use-texts.ts'
import { PanelButton } from '../../../ui/PanelButton.tsx'
import { useCopy } from '../../../ui/use-copy.ts'
import styles from './WaitingTile.module.css'

/** The address with which others join, and a button that copies it. */
export function InvitationLink({ url }: { url: string }) {
  const { t } = useTexts()
  const { isCopied, copy } = useCopy()
  return (
    <>
      <p className={styles.link} dir="ltr">
        {url.replace(/^https?:\/\//, '')}
      </p>
      <PanelButton
        icon={isCopied ? Check : Copy}
        label={t('options.copyInvitation')}
        onClick={() => void copy(url)}
        filled
      />
      <p role="status" className="visually-hidden">
        {isCopied && t('options.invitationCopied')}
      </p>
    </>
  )
}
