import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSeal, readSealedPdf } from '@keyturn/contract/agreements/sealed-pdf.ts'
import { readCms } from '@keyturn/contract/shared/crypto/cms.ts'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { hasOpenssl, startTimeStampAuthority } from '../../../../tests/support/papers/time-stamp-authority.ts'
import { aSignedDeal } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { requestTimeStamp } from '../../../integrations/time-stamps/request-time-stamp.ts'
import { describeError } from '../../../shared/describe-error.ts'
import { readAgreementPdf } from '../agreement-pdf-store.ts'
import { sha256 } from '../evidence-hashes.ts'
import { createPdfPrinter } from '../pdf/pdf-printer.ts'
import { createTimeStamper } from './time-stamper.ts'

// Seals with the time stamps of a real authority (openssl ts).

const server = await startTestServer()
const folder = server.deps.config.dataDir
const authority = hasOpenssl ? await startTimeStampAuthority(folder, afterAll) : null
const faults: string[] = []

function aPrinter() {
  const printer = createPdfPrinter(
    { ...server.deps.config, sealTsa: authority?.url ?? null },
    { maxWaitMs: 120_000, maxRunMs: 120_000, onFault: ({ message }) => faults.push(message) },
  )
  onTestFinished(printer.close)
  return { ...server.deps, printer }
}

const sealOf = async (file: Uint8Array) => {
  const pdf = readSealedPdf(file)
  return pdf && { ...(await checkSeal(pdf, webCryptography)), token: readCms(pdf.cms)?.timeStamp, pdf }
}

beforeEach(() => {
  faults.length = 0
  if (authority)
    Object.assign(authority, {
      key: 'rsa',
      digest: 'sha256',
      section: 'ts',
      change: (answer: Buffer) => answer,
    })
})

describe.runIf(hasOpenssl)('with a time stamp authority', () => {
  // R-deals-105
  test.each([
    ['rsa', 'sha256'],
    ['rsa', 'sha512'],
    ['ec', 'sha384'],
  ] as const)('seals at level B-T when it signs with %s and %s', async (key, digest) => {
    Object.assign(authority ?? {}, { key, digest })
    const { pkgId } = await aSignedDeal(server)
    const { bytes } = await readAgreementPdf(aPrinter(), pkgId)
    const seal = await sealOf(bytes)
    expect(seal).toMatchObject({
      valid: true,
      level: 'B-T',
      stamp: { valid: true, authority: `Time by ${key}` },
    })
    expect(Math.abs(Date.parse(seal?.stamp?.at ?? '') - Date.now())).toBeLessThan(60_000)
    const path = (name: string, content: Uint8Array | string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const openssl = (...options: string[]) => spawnSync('openssl', options, { encoding: 'utf8' })
    const cms = path('seal.der', seal?.pdf.cms ?? '')
    const own = path('own.pem', new X509Certificate(seal?.certificate ?? '').toString())
    const content = path('content', Buffer.concat(seal?.pdf.covered ?? []))
    expect(
      openssl(
        'cms',
        '-verify',
        '-cades',
        '-inform',
        'DER',
        '-in',
        cms,
        '-content',
        content,
        '-binary',
        '-noout',
        '-CAfile',
        own,
        '-purpose',
        'any',
      ).stderr,
    ).toContain('CAdES Verification successful')
    const signature = path('signature', readCms(seal?.pdf.cms ?? new Uint8Array())?.signature ?? '')
    expect(
      openssl(
        'ts',
        '-verify',
        '-token_in',
        '-in',
        path('token', seal?.token ?? ''),
        '-data',
        signature,
        '-CAfile',
        authority?.root ?? '',
      ).stdout,
    ).toContain('Verification: OK')
    if (spawnSync('pdfsig', ['-v']).error === undefined)
      expect(spawnSync('pdfsig', [path('agreement.pdf', bytes)], { encoding: 'utf8' }).stdout).toMatch(
        /ETSI\.CAdES\.detached[^#]*Total document signed\n.*Signature is Valid\./s,
      )
  })

  // R-deals-70
  test('finds a changed byte of the time stamp', async () => {
    const { pkgId } = await aSignedDeal(server)
    const { bytes } = await readAgreementPdf(aPrinter(), pkgId)
    const seal = await sealOf(bytes)
    const text = Buffer.from(bytes).toString('latin1')
    const hex = (part: Uint8Array) => Buffer.from(part).toString('hex')
    const token = hex(seal?.token ?? new Uint8Array())
    const signature = readCms(seal?.pdf.cms ?? new Uint8Array())?.signature ?? new Uint8Array()
    const places = {
      'the stamped digest': token.indexOf(hex(sha256(signature))) + 3,
      'the time': token.indexOf(hex(Buffer.from(`${new Date().getUTCFullYear()}`))) + 7,
      'the digest that it signs': token.lastIndexOf('06092a864886f70d010904') + 40,
      'its signature': token.length - 40,
      'its length': 5,
      'its own kind': 20,
    }
    for (const [what, place] of Object.entries(places)) {
      const changed = Uint8Array.from(bytes)
      const at = text.indexOf(token) + place
      changed[at] = text[at] === '1' ? 0x32 : 0x31
      const result = await sealOf(changed)
      expect(place, what).toBeGreaterThan(2)
      expect(result?.valid === true && result.level === 'B-T', what).toBe(false)
    }
  })

  // R-deals-105
  test.each<[string, (answer: Buffer, earlier: Buffer) => Buffer | null]>([
    ['other side closed', () => null],
    ['is not for this request', (_, earlier) => earlier],
    ['time stamp or its certificate is invalid', (answer) => flipBit(answer, answer.length - 9)],
    ['refused, with status 2', () => Buffer.from('30053003020102', 'hex')],
    ['sent no time stamp', () => Buffer.from('<html>')],
    ['more than 65536 bytes', () => Buffer.alloc(70_000)],
  ])('rejects an answer: %s', async (because, change) => {
    const earlier = readFileSync(join(folder, 'answer.tsr'))
    const { url = new URL('http://[::1]') } = authority ?? {}
    Object.assign(authority ?? {}, { change: (answer: Buffer) => change(answer, earlier) })
    await expect(
      requestTimeStamp(url, Buffer.from('signature')).catch((fault) => Promise.reject(describeError(fault))),
    ).rejects.toContain(because)
  })

  // R-deals-105
  test('accepts a certificate that is named by SHA-1, or in a signature of the same contents', async () => {
    const { url = new URL('http://[::1]') } = authority ?? {}
    Object.assign(authority ?? {}, { section: 'ts1' })
    expect(await requestTimeStamp(url, Buffer.from('signature'))).toBeInstanceOf(Uint8Array)
    Object.assign(authority ?? {}, { section: 'ts', change: signAgain('rsa') })
    expect(await requestTimeStamp(url, Buffer.from('signature'))).toBeInstanceOf(Uint8Array)
  })

  // R-deals-105
  test.each([
    ['whose certificate has no purpose', 'certificate is invalid', signAgain('noPurpose')],
    ['whose purpose is not critical', 'certificate is invalid', signAgain('notCritical')],
    ['whose certificate has two purposes', 'certificate is invalid', signAgain('twoPurposes')],
    ['that names no certificate', 'certificate is invalid', signAgain('rsa', [])],
    ['from before its certificate', 'certificate is invalid', signAgain('rsa', undefined, -300)],
    ['from after its certificate', 'certificate is invalid', signAgain('rsa', undefined, 31)],
    [
      'whose clock is two days ahead',
      'clock of the time stamp authority says',
      signAgain('rsa', undefined, 2),
    ],
    [
      'with an unsupported algorithm',
      'unsupported algorithm',
      signAgain('rsa', ['-cades', '-keyopt', 'rsa_padding_mode:pss']),
    ],
  ])('rejects a time stamp %s', async (_, because, change) => {
    Object.assign(authority ?? {}, { change })
    await expect(
      requestTimeStamp(authority?.url ?? new URL('http://[::1]'), Buffer.from('signature')),
    ).rejects.toThrow(because)
  })

  // R-deals-105
  test('stores nothing without an answer, tells people to try again, and seals later', async () => {
    const { pkgId } = await aSignedDeal(server)
    Object.assign(authority ?? {}, { change: () => null })
    const deps = aPrinter()
    const busy = { code: 'AgreementBeingDrawn', status: 503 }
    await expect(readAgreementPdf(deps, pkgId, { isCallerWaiting: true })).rejects.toMatchObject(busy)
    expect(faults).toEqual([expect.stringContaining('The time stamp is missing')])
    const stored = () => server.query('select from agreement_pdfs where package_id = $1', [pkgId])
    expect(await stored()).toHaveLength(0)
    const { asked } = authority ?? {}
    await expect(readAgreementPdf(deps, pkgId)).rejects.toMatchObject(busy)
    expect(authority?.asked, 'rests after a failure').toBe(asked)
    Object.assign(authority ?? {}, { change: (answer: Buffer) => answer })
    await readAgreementPdf(aPrinter(), pkgId)
    expect(await stored()).toHaveLength(1)
  })

  // R-deals-105
  test('keeps stamping other papers when one has no seal to stamp', async () => {
    const stamper = createTimeStamper(authority?.url ?? new URL('http://[::1]'), ({ message }) =>
      faults.push(message),
    )
    await expect(stamper.stamp(Buffer.from('%PDF-1.7\n'))).rejects.toThrow('no seal to stamp')
    expect(stamper.requireReady).not.toThrow()
    expect(faults).toEqual([])
  })

  // R-deals-105
  test('sends the login in its address as a header, and never logs it', async () => {
    const url = new URL(authority?.url ?? 'http://[::1]')
    Object.assign(url, { username: 'us@er', password: 'sésame%2F' })
    await requestTimeStamp(url, Buffer.from('signature'))
    const [, login = ''] = authority?.authorization?.split('Basic ') ?? []
    expect(Buffer.from(login, 'base64').toString()).toBe('us@er:sésame/')
    Object.assign(authority ?? {}, { change: () => null })
    const stamper = createTimeStamper(url, ({ stack = '', cause }) =>
      faults.push(`${stack} ${(cause as Error).stack}`),
    )
    const { bytes } = await readAgreementPdf(server.deps, (await aSignedDeal(server)).pkgId)
    await expect(stamper.stamp(bytes)).rejects.toMatchObject({ code: 'AgreementBeingDrawn' })
    expect(faults).toEqual([expect.not.stringMatching(/sésame|s%C3%A9same|us(@|%40)er/)])
  })
})

type SignAgain = NonNullable<typeof authority>['signAgain']
function signAgain(key: Parameters<SignAgain>[1], options?: string[], days?: number) {
  const at = days === undefined ? undefined : new Date(Date.now() + days * 86_400_000)
  return (answer: Buffer) => authority?.signAgain(answer, key, options, at) ?? null
}

function flipBit(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes
}
