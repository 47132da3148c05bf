import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Api } from '../api/api.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { useValue } from '../use-value.ts'
import styles from './ConnectionCheck.module.css'
import { ConnectionDetails } from './ConnectionDetails.tsx'
import { ConnectionTest, type ConnectionTestState, type Target } from './connection-test.ts'
import { openTarget } from './probe.ts'

/** Lets users test whether calls will work on their network. */
export function ConnectionCheck({ open = () => openTarget(new Api()) }: { open?: () => Promise<Target> }) {
  const { t } = useTexts()
  const [test] = useState(() => new ConnectionTest(open))
  const state = useValue(test)
  const isTesting = state.is === 'testing'
  return (
    <section className={styles.check} aria-label={t('connection.title')}>
      <Button secondary busy={isTesting} onClick={() => void test.run()}>
        {isTesting ? t('connection.testing') : t('connection.run')}
      </Button>
      <div role="status" className={styles.status}>
        <Result state={state} />
      </div>
      {state.is === 'done' && <ConnectionDetails results={state.results} />}
    </section>
  )
}

const icons = { udp: CircleCheck, tcp: Info, relay: Info, none: CircleX }

function Result({ state }: { state: ConnectionTestState }) {
  const { t } = useTexts()
  switch (state.is) {
    case 'idle':
      return null
    case 'testing':
      // The button shows it, but few screen readers announce a changed label.
      return <p className="visually-hidden">{t('connection.testing')}</p>
    case 'failed':
      return <Line icon={TriangleAlert} className={styles.bad} text={t('connection.failed')} />
    case 'done': {
      const best = state.best ?? 'none'
      const className = { udp: styles.good, tcp: styles.fair, relay: styles.fair, none: styles.bad }[best]
      return <Line icon={icons[best]} className={className} text={t(`connection.${best}`)} />
    }
  }
}

interface LineProps {
  icon: LucideIcon
  className: string | undefined
  text: string
}

const Line = ({ icon: Icon, className, text }: LineProps) => (
  <div className={className}>
    <Icon aria-hidden="true" />
    <p>{text}</p>
  </div>
)
