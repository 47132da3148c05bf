import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { clock as ticks } from '../../time/clock.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { useValue } from '../../use-value.ts'
import type { ServerClock } from '../server-clock.ts'
import styles from './HandList.module.css'
import { type Person, raisedHands } from './people.ts'

interface Props {
  people: readonly Person[]
  clock: ServerClock
  /** Whether this user is a moderator. */
  isModerator: boolean
  actions: Pick<Actions, 'lowerAllHands' | 'lowerHandOf' | 'raiseHand'>
  attempt: (act: () => Promise<unknown>) => void
}

/** The raised hands in their order, with how long they have been up. Moderators lower them; everybody the own one. */
export function HandList({ people, clock, isModerator, actions, attempt }: Props) {
  const { t, locale } = useTexts()
  useValue(ticks)
  const now = clock.now()
  const hands = raisedHands(people)
  if (hands.length === 0) return null
  const lower = ({ isMe, devices }: Person) =>
    attempt(() =>
      isMe
        ? actions.raiseHand(false)
        : Promise.all(
            devices
              .filter(({ handRaisedAt }) => handRaisedAt !== null)
              .map(({ id }) => actions.lowerHandOf(id)),
          ),
    )
  return (
    <section className={styles.hands} aria-label={t('people.hands')}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('people.hands')}</h2>
        {isModerator && hands.length > 1 && (
          <button type="button" className={styles.all} onClick={() => attempt(actions.lowerAllHands)}>
            {t('moderation.lowerAllHands')}
          </button>
        )}
      </div>
      <ol className={styles.list}>
        {hands.map(({ person, since }, index) => {
          const name = person.name || t('people.nameless')
          return (
            <li key={person.userId} className={styles.person}>
              <Avatar name={name} id={person.userId} />
              <div className={styles.name}>
                <p className={styles.line}>
                  {(index + 1).toLocaleString(locale)} · <bdi>{name}</bdi>
                </p>
                <p className={styles.since}>{waitingTime(now - since, locale)}</p>
              </div>
              {(isModerator || person.isMe) && (
                <button
                  type="button"
                  className={styles.lower}
                  aria-label={t('people.lowerHandOf', { name })}
                  onClick={() => lower(person)}
                >
                  {t('people.lower')}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** "40 sec", "2 min" */
function waitingTime(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [value, unit] = seconds < 60 ? [seconds, 'second'] : [Math.floor(seconds / 60), 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}
