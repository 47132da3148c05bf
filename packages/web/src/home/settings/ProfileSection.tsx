import { DISPLAY_NAME_MAX } from '@lectern/protocol'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useValue } from '../../use-value.ts'
import type { OwnAccount, Profile } from './own-account.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

export function ProfileSection({ own }: { own: OwnAccount }) {
  const { t } = useTexts()
  const state = useValue(own)
  return (
    <SettingsSection title={t('settings.profile')} hint={t('settings.nameHint')}>
      {state.is === 'loading' && <p className={styles.note}>{t('settings.loading')}</p>}
      {state.is === 'unknown' && (
        <>
          <p className={styles.note} role="status">
            {t('settings.unknown')}
          </p>
          <Button secondary onClick={() => void own.load()}>
            {t('problem.again')}
          </Button>
        </>
      )}
      {state.is === 'known' && <NameForm profile={state.profile} rename={own.rename} />}
    </SettingsSection>
  )
}

function NameForm({ profile, rename }: { profile: Profile; rename: OwnAccount['rename'] }) {
  const { t } = useTexts()
  const [typed, setTyped] = useState(profile.displayName)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<'missing' | 'saved' | 'failed' | null>(null)

  const submit = async () => {
    if (busy) return
    const name = typed.trim()
    if (name === '') return setOutcome('missing')
    setBusy(true)
    setOutcome(null)
    const stored = await rename(name)
    setBusy(false)
    setOutcome(stored === null ? 'failed' : 'saved')
    if (stored !== null) setTyped(stored)
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <Field
        label={t('settings.name')}
        value={typed}
        onChange={value => {
          setTyped(value)
          setOutcome(null)
        }}
        name="name"
        autoComplete="name"
        maxLength={DISPLAY_NAME_MAX}
        dir="auto"
        error={outcome === 'missing' ? t('settings.nameMissing') : null}
      />
      <p className={styles.note}>{t('settings.login', { login: profile.login })}</p>
      <Button secondary busy={busy}>
        {t('settings.save')}
      </Button>
      <p role="status" className={outcome === 'failed' ? styles.failed : styles.done}>
        {outcome === 'saved' && t('settings.saved')}
        {outcome === 'failed' && t('settings.notSaved')}
      </p>
    </Form>
  )
}
