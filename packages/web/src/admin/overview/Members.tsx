import type { ClusterMember } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../parts/Badge.tsx'
import { useFormat } from '../parts/use-format.ts'
import styles from './OverviewSection.module.css'

/** The servers and media nodes of a cluster; nothing without one. */
export function Members({ members }: { members: ClusterMember[] }) {
  const { t } = useTexts()
  if (members.length === 0) return null
  return (
    <>
      <h3 className={styles.part}>{t('admin.health.members')}</h3>
      <ul className={styles.list}>
        {members.map(member => (
          <li key={member.id}>
            <MemberState member={member} /> {member.name}{' '}
            <span className={styles.soft}>
              {member.version} {member.region}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function MemberState({ member: { role, draining, health } }: { member: ClusterMember }) {
  const { t } = useTexts()
  const format = useFormat()
  if (role === 'media-node') return <Badge tone="plain">{t('admin.health.mediaNode')}</Badge>
  if (!health) return <Badge tone="bad">{t('admin.health.noAnswer')}</Badge>
  if (draining) return <Badge tone="warm">{t('admin.health.draining')}</Badge>
  return (
    <Badge tone={health.ready ? 'good' : 'bad'}>
      {t('admin.health.member', {
        sessions: format.number(health.sessions),
        connections: format.number(health.connections),
      })}
    </Badge>
  )
}
