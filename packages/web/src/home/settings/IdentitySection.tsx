import { useEffect, useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import type { SsoProblem } from '../../sso/single-sign-on.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useValue } from '../../use-value.ts'
import { Identities } from './identities.ts'
import type { OwnAccount } from './own-account.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

/** The user's account at the identity provider of the server; nothing without a provider. */
export function IdentitySection({ own }: { own: OwnAccount }) {
  const { t } = useTexts()
  const { sso, account } = useSite()
  const methods = useValue(sso)
  const [identities] = useState(() => new Identities(account))
  const state = useValue(identities)
  const profile = useValue(own)
  const [problem, setProblem] = useState<SsoProblem | null>(null)
  const [isRequesting, setAsking] = useState(false)
  useEffect(() => {
    void sso.load()
    void identities.load()
  }, [sso, identities])
  if (!methods?.sso || state.is !== 'known') return null
  const name = methods.sso_name
  const linked = state.list[0]
  // Without a password, nothing else would sign the user in.
  const mayUnlink = methods.password && profile.is === 'known' && profile.profile.hasPassword
  const link = async () => setProblem(await sso.start(location.pathname, 'link'))
  const unlink = async () => setProblem((await identities.unlink()) ? null : 'failing')
  return (
    <SettingsSection title={name} hint={linked ? t('identity.linked') : t('identity.notLinked', { name })}>
      {linked && (
        <p className={styles.note}>
          <bdi>{linked.label}</bdi>
        </p>
      )}
      {linked ? (
        mayUnlink && (
          <Button secondary onClick={() => setAsking(true)}>
            {t('identity.unlink')}
          </Button>
        )
      ) : (
        <Button secondary onClick={() => void link()}>
          {t('identity.link')}
        </Button>
      )}
      <p role="alert" className={styles.failed}>
        {problem && t(`sso.problems.${problem}`)}
      </p>
      {isRequesting && (
        <ConfirmDialog
          question={t('identity.unlinkConfirm', { name })}
          verb={t('identity.unlink')}
          cancel={t('room.cancel')}
          danger={false}
          onConfirm={() => void unlink()}
          onClose={() => setAsking(false)}
        />
      )}
    </SettingsSection>
  )
}
