import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'

const makeFolder = useFolders()

interface KubernetesObject {
  kind: string
  metadata: { name: string }
  spec: {
    template: { spec: { containers: { image: string; command?: string[]; securityContext: object }[] } }
    egress?: object[]
  }
}

/** The objects of the chart, which have the types of the Kubernetes API. */
function render(values: object): KubernetesObject[] {
  const file = join(makeFolder(), 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const chart = [repositoryPath('deploy/helm/lectern'), file]
  const run = ['run', repositoryPath('e2e/support/deploy-files/render-chart.go'), ...chart]
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }
  const input = execFileSync('go', run, { env: { ...process.env, ...go } })
  const checker = repositoryPath('e2e/support/deploy-files/check-objects.py')
  return JSON.parse(execFileSync('python3', [checker], { input, encoding: 'utf8' }))
}

const VALUES = {
  existingSecret: 'lectern',
  publicUrl: 'https://meet.school.example',
  servers: { trustProxy: '10.244.0.0/16' },
  recorders: { existingSecret: 'recorder' },
  transcribers: { existingSecret: 'transcriber' },
}

describe('the Helm chart', () => {
  it('renders objects of the Kubernetes API, with the least settings and with all', () => {
    const kinds = (objects: KubernetesObject[]) =>
      objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    const least = kinds(render(VALUES))
    expect(least.toSorted()).toEqual([
      'DaemonSet school-lectern-media',
      'Deployment school-lectern-server',
      'Ingress school-lectern',
      'PodDisruptionBudget school-lectern-server',
      'Service school-lectern',
      'Service school-lectern-recorder',
      'Service school-lectern-transcriber',
      'StatefulSet school-lectern-recorder',
      'StatefulSet school-lectern-transcriber',
    ])
    const all = render({
      ...VALUES,
      imagePullSecrets: [{ name: 'registry' }],
      settings: { SVC_TURN_URLS: 'turn:turn.school.example:3478', SVC_LIMITS_ENABLED: 1 },
      servers: {
        ...VALUES.servers,
        nodeSelector: { zone: 'a' },
        tolerations: [{ key: 'x', operator: 'Exists' }],
      },
      mediaNodes: {
        ...{ announcedAddress: '203.0.113.7', region: 'north', workers: 4 },
        ...{ nodeSelector: { zone: 'b' }, tolerations: [{ key: 'x', operator: 'Exists' }] },
      },
      recorders: { ...VALUES.recorders, storageClassName: 'fast' },
      converters: { replicas: 1, existingSecret: 'converter' },
      ingress: { className: 'nginx', tlsSecret: 'tls' },
    })
    const converter = 'school-lectern-converter'
    expect(
      kinds(all)
        .filter(name => !least.includes(name))
        .toSorted(),
    ).toEqual([`NetworkPolicy ${converter}`, `Service ${converter}`, `StatefulSet ${converter}`])
    const containers = all
      .filter(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === converter)
      .flatMap(({ spec }) => spec.template.spec.containers)
    expect(containers).toMatchObject([
      {
        image: 'lectern:0.2.0',
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          seccompProfile: { type: 'Localhost', localhostProfile: 'lectern-converter.json' },
        },
      },
    ])
  })

  it('is not rendered without what only an operator knows', () => {
    expect(() => render({ ...VALUES, recorders: {} })).toThrow('recorders.existingSecret is required')
  })
})

describe('the compose file', () => {
  const compose = (...profiles: string[]) => {
    const folder = makeFolder()
    cpSync(repositoryPath('deploy/docker'), folder, { recursive: true })
    const file = join(folder, 'compose.yaml')
    // Debian's docker-compose is older than this name of the project.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^name: .*\n/m, ''))
    const example = readFileSync(join(folder, 'env.example'), 'utf8')
    writeFileSync(
      join(folder, '.env'),
      example.replace(/SECRET=$/gm, 'SECRET=a-secret-of-enough-characters-of-a-test'),
    )
    const args = profiles.flatMap(name => ['--profile', name])
    return execFileSync('docker-compose', ['--file', file, ...args, 'config', '--services'], {
      cwd: folder,
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .toSorted()
  }

  it('is valid with the settings of its example, and starts a converter on request only', () => {
    expect(compose()).toEqual(['server', 'turn'])
    expect(compose('slides')).toEqual(['converter', 'server', 'turn'])
  })

  it('gives the converter alone its filter, and no way out of its network', () => {
    const text = readFileSync(repositoryPath('deploy/docker/compose.yaml'), 'utf8')
    const service = (name: string) =>
      new RegExp(`^  ${name}:\\n([\\s\\S]*?)(?=^  \\S|^\\S)`, 'm').exec(text)?.[1] ?? ''
    expect(service('server')).not.toMatch(/seccomp|apparmor/)
    expect(service('converter')).toMatch(/networks: \[workers\][\s\S]*seccomp=converter-seccomp\.json/)
    expect(service('converter')).not.toMatch(/volumes|ports/)
    expect(text).toMatch(/^ {2}workers:\n {4}internal: true$/m)
  })
})
