import { Phone, Video } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { HeaderButton } from '../ui/HeaderButton.tsx'
import styles from './CallButtons.module.css'
import type { CallProblem } from './call-actions.ts'
import { namesOf } from './facts.ts'
import { useCallActions } from './use-calls.ts'

interface Props {
  /** Whom the buttons call: at most 20. */
  people: readonly { user_id: string; display_name: string }[]
}

/** Buttons that call people, with audio or with video; the reason when that fails. */
export function CallButtons({ people }: Props) {
  const { t, locale } = useTexts()
  const { start } = useCallActions()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const names = namesOf([...people], locale, t('calls.unnamed'))
  const call = async (video: boolean) => {
    if (isBusy) return
    setBusy(true)
    setProblem(
      await start(
        people.map(each => each.user_id),
        video,
      ),
    )
    setBusy(false)
  }
  return (
    <span className={styles.buttons}>
      <HeaderButton
        icon={Phone}
        label={t('calls.callNamedWithAudio', { names })}
        onClick={() => void call(false)}
      />
      <HeaderButton
        icon={Video}
        label={t('calls.callNamedWithVideo', { names })}
        onClick={() => void call(true)}
      />
      {problem && (
        <span className={styles.problem} role="alert">
          {t(`calls.problem.${problem}`)}
        </span>
      )}
    </span>
  )
}
