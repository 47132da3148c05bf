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

const CHART = 'deploy/helm/lectern'
const FITS_SCHEMA =
  'import json, sys, jsonschema, yaml; jsonschema.validate(yaml.safe_load(open(sys.argv[2])), json.load(open(sys.argv[1])))'

/** The objects of the chart, which have the types of the Kubernetes API. */
function render(values: object): KubernetesObject[] {
  const file = join(makeFolder(), 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const chart = [repositoryPath(CHART), file]
  const run = ['run', repositoryPath('e2e/support/deploy-files/render-chart.go'), ...chart]
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }
  const input = execFileSync('go', run, { env: { ...process.env, ...go }, stdio: 'pipe' })
  execFileSync('/usr/bin/python3', ['-c', FITS_SCHEMA, repositoryPath(`${CHART}/values.schema.json`), file], {
    stdio: 'pipe',
  })
  const checker = repositoryPath('e2e/support/deploy-files/check-objects.py')
  return JSON.parse(execFileSync('/usr/bin/python3', [checker], { input, encoding: 'utf8' }))
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
    expect(() => render({ ...VALUES, publicUrl: 'meet.school.example' })).toThrow('publicUrl')
    expect(() => render({ ...VALUES, converter: {} })).toThrow("'converter' was unexpected")
  })
})

interface Compose {
  services: Record<
    string,
    {
      networks?: object
      security_opt?: string[]
      profiles?: string[]
      volumes?: unknown[]
      ports?: unknown[]
    }
  >
  networks: Record<string, { internal?: boolean }>
}

/** What docker-compose makes of the file with the settings of its example, when it accepts them. */
function readCompose(): Compose {
  const folder = makeFolder()
  cpSync(repositoryPath('deploy/docker'), folder, { recursive: true })
  const file = join(folder, 'compose.yaml')
  // Debian's docker-compose is older than the name of a project.
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^name: .*\n/m, ''))
  const example = readFileSync(join(folder, 'env.example'), 'utf8')
  writeFileSync(join(folder, '.env'), example.replace(/SECRET=$/gm, 'SECRET=a-secret-of-a-test'))
  const input = execFileSync('docker-compose', ['--file', file, 'config'], { cwd: folder })
  const toJson = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', toJson], { input, encoding: 'utf8' }))
}

describe('the compose file', () => {
  it('is valid with the settings of its example, and gives the converter alone its filter, and no way out', () => {
    const { services, networks } = readCompose()
    expect(Object.keys(services).toSorted()).toEqual(['converter', 'server', 'turn'])
    const { server, converter } = services
    expect(server?.security_opt).toEqual(['no-new-privileges:true'])
    expect(Object.keys(server?.networks ?? {}).toSorted()).toEqual(['default', 'workers'])
    expect(converter).toMatchObject({
      profiles: ['slides'],
      security_opt: ['no-new-privileges:true', 'seccomp:converter-seccomp.json', 'apparmor=unconfined'],
    })
    expect(Object.keys(converter?.networks ?? {})).toEqual(['workers'])
    expect([converter?.volumes, converter?.ports]).toEqual([undefined, undefined])
    expect(networks.workers).toEqual({ internal: true })
  })
})
