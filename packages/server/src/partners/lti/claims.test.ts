import { describe, expect, it } from 'vitest'
import { readLaunch, roleOf } from './claims.ts'
import { lessonOf, presencePercent } from './presence.ts'

const member = (role: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${role}`
const person = (role: string) => `http://purl.imsglobal.org/vocab/lis/v2/institution/person#${role}`

describe('roleOf', () => {
  it.each([
    [[member('Instructor')], 'teacher'],
    [[member('Learner')], 'student'],
    [['Instructor'], 'teacher'],
    [
      [
        member('Instructor'),
        'http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant',
      ],
      'assistant',
    ],
    [[member('Learner'), person('Instructor')], 'student'],
    [[member('Learner'), person('Administrator')], 'student'],
    [[person('Administrator')], 'teacher'],
    [[member('Mentor')], 'observer'],
    [['ContentDeveloper'], 'teacher'],
    [['http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#GuestInstructor'], 'teacher'],
    [
      ['http://purl.imsglobal.org/vocab/lis/v2/membership/Learner#NonCreditLearner', person('Administrator')],
      'student',
    ],
    [['Member', person('Administrator')], 'student'],
    [[], 'student'],
    [['http://evil.example/x#Instructor-not'], 'student'],
  ])('maps %j to %s', (roles, role) => {
    expect(roleOf(roles)).toBe(role)
  })
})

describe('presencePercent', () => {
  it('counts time on two devices once, and none outside of the lesson', () => {
    const lesson = lessonOf([[10, 110]], [[0, 200]])
    expect(
      presencePercent(
        [
          [0, 40],
          [30, 60],
          [150, 200],
        ],
        lesson,
      ),
    ).toBe(50)
  })

  it('counts the session as the lesson if nobody taught', () => {
    expect(presencePercent([[0, 50]], lessonOf([], [[0, 100]]))).toBe(50)
    expect(presencePercent([[0, 50]], lessonOf([], []))).toBe(0)
  })
})

describe('readLaunch', () => {
  const claim = 'https://purl.imsglobal.org/spec/lti/claim'
  const token = (sub: string, title?: string, course?: string) => ({
    sub,
    [`${claim}/version`]: '1.3.0',
    [`${claim}/deployment_id`]: 'd1',
    [`${claim}/message_type`]: 'LtiResourceLinkRequest',
    [`${claim}/resource_link`]: { id: 'link', ...(title !== undefined && { title }) },
    ...(course !== undefined && { [`${claim}/context`]: { title: course } }),
  })
  const launch = (...parts: Parameters<typeof token>) => readLaunch(token(...parts))

  it('shortens a title between characters, and takes that of the course in place of an empty one', () => {
    expect(launch('u', `${'a'.repeat(499)}👩🏽b`)?.title).toBe(`${'a'.repeat(499)}👩`)
    expect(launch('u', ' \u0000 ', 'Algebra\ud800\u0000')?.title).toBe('Algebra\ufffd')
    expect(launch('u')?.title).toBe('')
  })

  it('reads null as missing, as Canvas sends what it does not have', () => {
    const nulls = [
      ...['name', 'given_name', `${claim}/context`, `${claim}/roles`],
      'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint',
      'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice',
      'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings',
    ]
    const payload = {
      ...token('u'),
      ...Object.fromEntries(nulls.map(name => [name, null])),
      family_name: 'Berg',
      [`${claim}/resource_link`]: { id: 'link', title: null, description: null },
    }
    expect(readLaunch(payload)).toMatchObject({
      displayName: 'Berg',
      role: 'student',
      title: '',
      target: { is: 'resource', lineItem: null, membersUrl: null },
    })
  })

  it('keeps nobody out because of a service that is announced without what it needs', () => {
    const services = {
      'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': { lineitems: 'https://school.example/items' },
      'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': { service_versions: ['2.0'] },
    }
    expect(readLaunch({ ...token('u'), ...services })).toMatchObject({
      target: { lineItem: null, membersUrl: null },
    })
  })

  it('refuses ids of users that no person can have here', () => {
    expect(launch('x'.repeat(255))?.user).toHaveLength(255)
    for (const sub of ['', 'x'.repeat(256), 'a\u0000b']) expect(launch(sub)).toBe(null)
  })
})
