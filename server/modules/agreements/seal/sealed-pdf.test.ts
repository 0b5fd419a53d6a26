import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { listSealCertificates } from '@keyturn/contract/agreements/endpoints.ts'
import { checkSeal, readSealedPdf, type SealCheck } from '@keyturn/contract/agreements/sealed-pdf.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import {
  asSet,
  attributeNames,
  fieldsOf,
  plainData,
  writeAttribute,
  writeCms,
} from '@keyturn/contract/shared/crypto/cms.ts'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { derTags, emptyDer, readDer, writeDer, writeOid } from '@keyturn/contract/shared/crypto/der.ts'
import { expect, test } from 'vitest'
import { readPdfText } from '../../../../tests/support/papers/pdf.ts'
import { readQrCode } from '../../../../tests/support/papers/qr-code.ts'
import { anAdministrator } from '../../../../tests/support/people.ts'
import { aSignedDeal } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { type Config, readConfig } from '../../../config.ts'
import { readAgreementPdf } from '../agreement-pdf-store.ts'
import { sha256 } from '../evidence-hashes.ts'
import { createPdfPrinter } from '../pdf/pdf-printer.ts'
import { createCertificate } from './create-certificate.ts'
import { encodeKey, parseKey } from './seal-key.ts'

const server = await startTestServer()
const has = (program: string) => spawnSync(program, ['-v']).error === undefined
const golden = (name: string) => join(import.meta.dirname, 'golden', name)
const folder = server.deps.config.dataDir

async function sealOf(file: Uint8Array): Promise<SealCheck | null> {
  const read = readSealedPdf(file)
  return read && checkSeal(read, webCryptography)
}

const deal = await aSignedDeal(server)
const { bytes: pdf } = await readAgreementPdf(server.deps, deal.pkgId)
const published = async () => (await server.browser().ask(listSealCertificates)).certificates

// R-deals-70
test('seals with the published certificate and the database’s time', async () => {
  const seal = await sealOf(pdf)
  const [made] = await server.query<{ at: Date; sealed_with: Buffer }>(
    'select made_at as at, sealed_with from agreement_pdfs where package_id = $1',
    [deal.pkgId],
  )
  expect(seal).toMatchObject({ valid: true, fingerprint: made?.sealed_with.toString('hex') })
  const [certificate] = await published()
  expect(certificate?.fingerprint).toBe(seal?.fingerprint)
  expect(new X509Certificate(certificate?.certificate ?? '').raw).toEqual(
    Buffer.from(seal?.certificate ?? []),
  )
  await server.moveClock('400 days')
  try {
    const [now] = await server.query<{ at: Date }>('select keyturn_now() as at')
    const { bytes } = await readAgreementPdf(server.deps, deal.pkgId, { size: 'A4' })
    const late = Date.parse((await sealOf(bytes))?.sealedAt ?? '') - (now?.at.getTime() ?? 0)
    expect(Math.abs(late)).toBeLessThan(60_000)
  } finally {
    await server.moveClock('0 hours')
  }
})

const own = (await sealOf(pdf))?.fingerprint
/** The seal must be valid and by our certificate: only the certificate shows whose seal it is. */
const isOurs = (seal: SealCheck | null): boolean => seal?.valid === true && seal.fingerprint === own

// R-deals-70
test('finds a PDF that was sealed before PAdES valid, and loads its key', async () => {
  const seal = await sealOf(readFileSync(golden('sealed-2026-11.pdf')))
  expect(seal).toMatchObject({ valid: true, level: null, stamp: null, sealedAt: '2026-11-27T17:29:35Z' })
  const { key, certificate, chain } = await parseKey(readFileSync(golden('seal-2026-11.p12')), '')
  expect(sha256(certificate).toString('hex')).toBe(seal?.fingerprint)
  expect(chain).toEqual([certificate])
  expect(new X509Certificate(certificate).checkPrivateKey(key)).toBe(true)
})

// R-deals-70
test.runIf(has('openssl'))('is a CAdES signature to OpenSSL, without a signing time', async () => {
  const { covered, cms, isPades } = readSealedPdf(pdf) ?? {
    covered: [],
    cms: new Uint8Array(),
    isPades: false,
  }
  expect(isPades).toBe(true)
  const paths = ['signed.bin', 'seal.der', 'own.pem'].map((name) => join(folder, name))
  const [signed = '', seal = '', certificate = ''] = paths
  writeFileSync(signed, Buffer.concat(covered))
  writeFileSync(seal, cms)
  writeFileSync(certificate, (await published())[0]?.certificate ?? '')
  const options = ['cms', '-inform', 'DER', '-in', seal, '-content', signed, '-binary', '-noout']
  const verify = ['-verify', '-cades', '-CAfile', certificate, '-purpose', 'any']
  const { stderr, status } = spawnSync('openssl', [...options, ...verify], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringContaining('CAdES Verification successful')])
  const { stdout } = spawnSync('openssl', ['cms', '-cmsout', '-print', '-inform', 'DER', '-in', seal], {
    encoding: 'utf8',
  })
  const names = [...stdout.matchAll(/object: (id-\S+|contentType|messageDigest|signingTime)/g)].map(
    ([, name]) => name,
  )
  expect(names).toEqual(['contentType', 'messageDigest', 'id-smime-aa-signingCertificateV2'])
})

// R-deals-70
test('is invalid unless its attributes name the kind of content and the certificate', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [from, until] = [new Date(0), new Date('2040-01-01')]
  const certificate = createCertificate({ subject: ['A'], publicKey, signer: privateKey, from, until })
  const sealed = readSealedPdf(pdf)
  if (!sealed) throw new Error('Not sealed')
  const der = (tag: number, ...parts: Uint8Array[]) => readDer(writeDer(tag, ...parts)) ?? emptyDer
  const nameOf = (digest: Buffer) => {
    const id = der(derTags.sequence, writeDer(derTags.octets, digest)).whole
    return writeDer(derTags.sequence, writeDer(derTags.sequence, id))
  }
  const { contentType, messageDigest, signingCertificate } = attributeNames
  const digest = writeAttribute(messageDigest, writeDer(derTags.octets, sha256(...sealed.covered)))
  const kind = writeAttribute(contentType, plainData)
  const name = writeAttribute(signingCertificate, nameOf(sha256(certificate)))
  const isValid = async (...attributes: Uint8Array[]) => {
    const signedAttributes = der(derTags.set, ...attributes)
    const { issuer, serial } = fieldsOf(der(derTags.sequence, readDer(certificate)?.inside ?? certificate))
    const cms = writeCms({
      certificates: der(derTags.set, certificate),
      issuerAndSerial: der(derTags.sequence, issuer.whole, serial.whole),
      signedAttributes,
      signature: der(derTags.octets, sign('sha256', asSet(signedAttributes), privateKey)),
      timeStamp: null,
    })
    return (await checkSeal({ ...sealed, cms }, webCryptography)).valid
  }
  expect(await isValid(kind, digest, name)).toBe(true)
  expect(await isValid(kind, digest)).toBe(false)
  expect(await isValid(kind, digest, writeAttribute(signingCertificate, nameOf(sha256('another'))))).toBe(
    false,
  )
  expect(await isValid(digest, name)).toBe(false)
  expect(await isValid(writeAttribute(contentType, writeOid('1.2.3')), digest, name)).toBe(false)
})

// R-deals-70
test('is invalid after a change of one byte anywhere', async () => {
  const text = Buffer.from(pdf).toString('latin1')
  const hole = /\/Contents <(3082[0-9a-f]+?)(0{200,})>/.exec(text)
  const at = hole?.index ?? 0
  const places = {
    'the version': 5,
    'the length of what is sealed': text.indexOf('/ByteRange [0 ') + 14,
    'when it was sealed': text.indexOf('/M (D:') + 8,
    'the beginning of the signature': at + 11,
    'the digest in the signature': at + 11 + (hole?.[1]?.length ?? 0) - 2 * 384 - 120,
    'the signature itself': at + 11 + (hole?.[1]?.length ?? 0) - 40,
    'the zeros behind it': at + 11 + (hole?.[1]?.length ?? 0) + 100,
    'the last zero': at + 11 + (hole?.[1]?.length ?? 0) + (hole?.[2]?.length ?? 0) - 1,
    'the price in what is attached': text.indexOf('"price":') + 9,
    'a page': text.indexOf('stream\n') + 40,
    'the table of objects': text.indexOf('\nxref\n') + 40,
    'the last byte': pdf.length - 2,
  }
  expect(at).toBeGreaterThan(0)
  for (const [what, place] of Object.entries(places)) {
    const changed = Uint8Array.from(pdf)
    changed[place] = text[place] === '1' ? 0x32 : 0x31
    expect(changed[place], what).not.toBe(pdf[place])
    expect(isOurs(await sealOf(changed)), what).toBe(false)
  }
})

test.runIf(has('pdfsig'))('is read and verified by the tools of Poppler', () => {
  const path = join(folder, 'agreement.pdf')
  const outputOf = (program: string, file: Uint8Array, ...options: string[]) => {
    writeFileSync(path, file)
    const output = program === 'pdftotext' ? ['-'] : []
    const { stdout, stderr } = spawnSync(program, [...options, path, ...output], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout
  }
  expect(outputOf('pdfsig', pdf)).toContain(
    'Total document signed\n  - Signature Validation: Signature is Valid.',
  )
  if (has('qpdf'))
    expect(outputOf('qpdf', pdf, '--check')).toContain('No syntax or stream encoding errors found')
  expect(outputOf('pdfinfo', pdf)).toMatch(
    /Tagged: +yes\n.*Pages: +5\n.*Page size: +612 x 792 pts \(letter\)/s,
  )
  // pdfinfo prints a warning first unless one root holds everything.
  expect(outputOf('pdfinfo', pdf, '-struct').split('\n')[0]).toBe('Document')
  const words = outputOf('pdftotext', pdf, '-layout')
  for (const each of ['Vehicle Sale Agreement', 'Certificate of signatures', deal.pkgId, deal.seller.email])
    expect(words).toContain(each)
  const changed = Uint8Array.from(pdf)
  const place = Buffer.from(pdf).indexOf('"price":') + 9
  changed[place] = (changed[place] ?? 0) ^ 1
  expect(outputOf('pdfsig', changed)).toContain('Signature Validation: Digest Mismatch.')
})

// R-deals-71
test('prints signers, times, networks, consents, history, log head and the verification link', async () => {
  const text = readPdfText(Buffer.from(pdf))
  const signed = await server.query<{
    party: string
    hash: Buffer
    verified: Date
    at: Date
    email: string
    consent: string | null
    began: Date
  }>(
    `select party, hash, signer_verified_at as verified, signed_at as at, signer_email as email, consent_version as consent,
       (select signed_in_at from sessions where sessions.id = session_id) as began from signatures
     where deal_id = (select deal_id from packages where id = $1)`,
    [deal.pkgId],
  )
  expect(signed).toHaveLength(2)
  for (const { hash, verified, at, email, consent, began } of signed)
    for (const words of [
      hash.toString('hex'),
      `Email address ${email}, verified ${atUtc(verified)} Authenticated By the account’s password; signed in ${atUtc(began)} Sheet shown Not recorded Consent`,
      `Consent to sign electronically Given ${atUtc(at)}, version ${consent} Signature, typed Signed ${atUtc(at)} Signed from network 127.0.0.x`,
    ])
      expect(text).toContain(words)
  expect(text).toContain(`Agreement number ${deal.pkgId}`)
  expect(text).toContain('Buyer: Submitted a request: $9,000')
  expect(text).toContain('Buyer: Signed as buyer: Basil Byrd Words of the consent')
  // It is passed on after the PDF exists.
  expect(text).not.toContain('passed on')
  for (const { title, text: words } of currentConsent.sections) expect(text).toContain(`${title}. ${words}`)
  expect(text).toContain(`Postal address for paper copies: ${server.deps.config.contactAddress}`)
  const [head] = await server.query<{ note: string }>('select note from log_heads where size = 3')
  expect(text).toContain(head?.note.split('\n')[2])
  expect(Buffer.from(pdf).toString('latin1')).toContain(`/URI (${verifyAt(deal.pkgId)})`)
})

// R-deals-116
test.runIf(has('pdfinfo'))('tags labels and values as rows of tables', () => {
  const path = join(folder, 'tagged.pdf')
  writeFileSync(path, pdf)
  const lines = execFileSync('pdfinfo', ['-struct-text', path], { encoding: 'utf8' })
  const tree = lines.replace(/\s+/g, ' ')
  const row = (label: string, value: string) => `TR TH: /Scope /Row "${label}" TD "${value}"`
  for (const words of [row('Mileage', '91,000 miles'), row('Agreement number', deal.pkgId)])
    expect(tree).toContain(words)
  // The facts, the agreement, two parties, digests and events.
  expect(lines.match(/^ {2}Table /gm)).toHaveLength(6)
  expect(lines.match(/^ {6}T[HD]/gm)).toHaveLength(2 * (lines.match(/^ {4}TR/gm) ?? []).length)
})

test.runIf(has('pdftoppm'))('prints a QR code that leads to its verification', async () => {
  const path = join(folder, 'page.pdf')
  writeFileSync(path, pdf)
  const page = execFileSync('pdftoppm', ['-r', '150', '-f', '3', '-l', '3', '-png', path], { maxBuffer: 1e8 })
  expect((await readQrCode(page)).text).toBe(verifyAt(deal.pkgId))
})

test('renders the same history and proof later, even if more has happened since both signed', async () => {
  const later = await aSignedDeal(server)
  await (await anAdministrator(server)).ask(completeDeal, { params: { pkgId: later.pkgId } })
  await aSignedDeal(server)
  const text = readPdfText(
    Buffer.from((await readAgreementPdf(server.deps, later.pkgId, { size: 'A4' })).bytes),
  )
  expect(text).toContain('Signed as buyer')
  expect(text).not.toMatch(/passed on|completed/)
  const proof = (await readAgreementPdf(server.deps, later.pkgId)).bytes
  expect(readSealedPdf(proof)?.proof).toEqual(
    readSealedPdf((await readAgreementPdf(server.deps, later.pkgId, { size: 'A4' })).bytes)?.proof,
  )
})

// R-deals-70
test('seals with a new key after a key change, keeps older seals valid and publishes both certificates', async () => {
  const p12 = join(folder, 'operator.p12')
  writeFileSync(p12, await operatorsKey('sesame'))
  const printer = printerWithLongTimeouts({ ...server.deps.config, seal: { p12, password: 'sesame' } })
  const { pkgId } = await aSignedDeal(server)
  const { bytes } = await readAgreementPdf({ ...server.deps, printer }, pkgId)
  await printer.close()
  const [newer, older] = [await sealOf(bytes), await sealOf(pdf)]
  expect([newer?.valid, older?.valid]).toEqual([true, true])
  expect(newer?.fingerprint).not.toBe(older?.fingerprint)
  expect(new X509Certificate(newer?.certificate ?? '').subject).toContain('Operator')
  expect((await published()).map(({ fingerprint }) => fingerprint)).toEqual([
    newer?.fingerprint,
    older?.fingerprint,
  ])
})

test('seals with the same key in another process on the same data folder', async () => {
  const printer = printerWithLongTimeouts(server.deps.config)
  const { pkgId } = await aSignedDeal(server)
  const { bytes } = await readAgreementPdf({ ...server.deps, printer }, pkgId)
  await printer.close()
  expect((await sealOf(bytes))?.fingerprint).toBe((await sealOf(pdf))?.fingerprint)
})

test('rejects an unusable key file at startup in one line without the password', async () => {
  const p12 = join(folder, 'other.p12')
  writeFileSync(p12, await operatorsKey('sesame'))
  const given = {
    DATABASE_URL: server.databaseUrl,
    SESSION_SECRET: 's'.repeat(32),
    EVIDENCE_KEY: 'e'.repeat(32),
  }
  const start = (path: string, password: string) => () =>
    readConfig({ ...given, ADMIN_PASSWORD: 'open sesame 42', SEAL_P12: path, SEAL_P12_PASSWORD: password })
  expect(start(p12, 'sesame')().seal).toEqual({ p12, password: 'sesame' })
  if (has('openssl')) {
    const old = join(folder, 'old.p12')
    const pem = join(folder, 'key.pem')
    spawnSync('openssl', ['pkcs12', '-nodes', '-in', p12, '-passin', 'pass:sesame', '-out', pem])
    spawnSync('openssl', ['pkcs12', '-export', '-legacy', '-in', pem, '-out', old, '-passout', 'pass:sesame'])
    expect(start(old, 'sesame')).toThrow(
      / Triple DES; this converts it: openssl pkcs12 -legacy (?!.*sesame).+$/,
    )
  }
  for (const [path, password] of [
    [p12, 'other'],
    [p12, ''],
    [join(folder, 'none.p12'), 'sesame'],
    [folder, 'sesame'],
  ] as const)
    expect(start(path, password)).toThrow(/^Setting SEAL_P12 is invalid: must be (?!.*sesame).+$/)
})

const printerWithLongTimeouts = (config: Config) =>
  createPdfPrinter(config, { maxWaitMs: 120_000, maxRunMs: 120_000, onFault: () => undefined })

const verifyAt = (pkgId: string) => `${server.deps.config.publicUrl.origin}/verify?agreement=${pkgId}`

const atUtc = (at: Date) =>
  at.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

/** A PKCS #12 file as an authority issues it: the key, its certificate and the authority's. */
async function operatorsKey(password: string): Promise<Buffer> {
  const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [authority, operator] = [pairOf(), pairOf()]
  const signed = { issuer: ['Authority'] as const, signer: authority.privateKey }
  const valid = { from: new Date(), until: new Date(Date.now() + 365 * 86_400_000) }
  const chain = [
    createCertificate({ subject: ['Authority'], publicKey: authority.publicKey, ...signed, ...valid }),
    createCertificate({ subject: ['Operator'], publicKey: operator.publicKey, ...signed, ...valid }),
  ]
  return encodeKey(operator.privateKey, chain, password)
}
