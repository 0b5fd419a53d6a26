// @module-tag full

import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteCarPhoto } from '@keyturn/contract/cars/endpoints.ts'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { queryOnce } from '../../../tests/cluster/replacement.ts'
import { withDatabaseName, withServingRole } from '../../../tests/support/database/database.ts'
import { createDatabaseBeforeBaseline } from '../../../tests/support/database/earlier-database.ts'
import { addPhoto } from '../../../tests/support/pictures.ts'
import { aListing, aSaleAt } from '../../../tests/support/sales/deals.ts'
import { createTestFolder, runCommand } from '../../../tests/support/server-process.ts'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer, type TestServer } from '../../../tests/support/test-server.ts'
import { readConfig } from '../../config.ts'
import { readHeadForBackup } from '../../modules/agreements/evidence-log/evidence-log.ts'
import { carPictureUse } from '../../modules/cars/repository.ts'
import { pushTasks } from '../../modules/notifications/push/push-tasks.ts'
import { saleTasks } from '../../tasks.ts'
import { findServingRole } from '../database/application-role.ts'
import { openDatabase } from '../database/open-database.ts'
import { runDueJobs, type Tasks } from '../jobs/jobs.ts'
import { createEmailTasks } from '../mail/email-tasks.ts'
import { photoFileNames } from '../storage/picture-store.ts'
import { pictureTasks } from '../storage/sweep-pictures.ts'
import { type BackupSource, type CompletedBackup, makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

// Restores a backup into an operator's PostgreSQL and checks what the result does.

const smtp = { SMTP_URL: 'smtp://127.0.0.1:1' }
const server = await startTestServer(smtp)
const sale = await aSaleAt(server, 'passed')
const listing = await aListing(server)
const shown = (await addPhoto(listing.seller, listing.car)).answer.photo
await server.query(`insert into push_devices (id, user_id, endpoint, p256dh, auth, name)
  values (repeat('d', 24), '${sale.seller.id}', 'https://push.example.com/1', '', '', 'A phone')`)
await server.query(`insert into pushes (id, device_id, event, audience, body, path, tag, rings, good_until)
  values (repeat('e', 24), repeat('d', 24), 'requested', 'SELLER', '', '/home', repeat('f', 24), true, now() + interval '1 day')`)

// Leaves deliveries pending, as for a dealer with its own system.
await server.query(`update deliveries set state = 'WAITING', ended_at = null`)

const backUp = (
  parent = createTestFolder(),
  readHead: BackupSource['readHead'] = readHeadForBackup,
  of: TestServer = server,
): Promise<CompletedBackup> =>
  makeBackup({ pool: of.deps.pool, photos: of.deps.pictures, config: of.deps.config, readHead }, parent)

/** The unmodified backup, for read-only use. */
const kept = mkdtempSync(join(tmpdir(), 'keyturn-backups-'))
afterAll(() => rmSync(kept, { recursive: true, force: true }))
const whole = await backUp(kept)

/** An empty target: a database with its two users, and a folder. */
async function anEmptyPlace(): Promise<Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATA_DIR', string>> {
  const name = `restored_${randomBytes(6).toString('hex')}`
  await queryOnce(inject('database'), `create database ${name}`)
  onTestFinished(async () => void (await queryOnce(inject('database'), `drop database ${name} with (force)`)))
  const owner = withDatabaseName(inject('database'), name)
  return {
    DATABASE_URL: withServingRole(owner),
    DATABASE_OWNER_URL: owner,
    DATA_DIR: join(createTestFolder(), 'new'),
  }
}

/** For restores that are rejected before they use a database or a folder. */
const nowhere = (): Place => ({
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  DATABASE_OWNER_URL: 'postgres://127.0.0.1:1/none',
  DATA_DIR: join(createTestFolder(), 'new'),
})

type Place = Awaited<ReturnType<typeof anEmptyPlace>>

function restoreInto(place: Place, folder: string): Promise<number> {
  return restoreBackup({
    folder,
    config: readConfig({
      ...place,
      ...smtp,
      ADMIN_PASSWORD: 'open sesame 42',
      SESSION_SECRET: '-'.repeat(32),
      EVIDENCE_KEY: '-'.repeat(32),
      VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E`,
    }),
    hasMoved: true,
    invalidateState: async () => {},
    verify: async () => 0,
    print: () => {},
  })
}

/** Starts the restored server with a reachable mail server. */
async function working(place: Place) {
  const receiver = await startSmtpReceiver()
  const serving = openDatabase({ connectionString: place.DATABASE_URL })
  const owner = openDatabase({ connectionString: place.DATABASE_OWNER_URL })
  const deps = { ...server.deps, ...serving, config: { ...server.deps.config, smtpUrl: receiver.url } }
  const mails = createEmailTasks(deps)
  onTestFinished(async () => {
    mails.close()
    await serving.close()
    await owner.close()
  })
  const query = async (text: string) => (await owner.pool.query(text)).rows
  const outgoing: Tasks = {
    ...mails.tasks,
    ...pushTasks(deps),
    'deliver-deal': saleTasks(deps)['deliver-deal'] as Tasks[string],
  }
  return { receiver, serving, query, work: () => runDueJobs(deps, outgoing) }
}

// R-everywhere-47, R-everywhere-48
test('sends nothing after a restore until the operator resumes, and never what was waiting before', async () => {
  const { path, manifest } = whole
  const place = await anEmptyPlace()
  const told = await runCommand('restore', { ...place, ...smtp }, path)
  expect(told, told.err).toMatchObject({ code: 0, err: '' })
  expect(told.out).toContain('Everything is as it was written.')
  const { receiver, serving, query, work } = await working(place)
  expect(await findServingRole(serving.pool)).toMatchObject({ user: 'keyturn_app', isGuarded: true })
  for (const { name, rows } of manifest.tables.filter(({ name }) =>
    /^(users|cars|deals|signatures|deal_events)$/.test(name),
  ))
    expect([name, await query(`select count(*)::int as rows from ${name}`)]).toEqual([name, [{ rows }]])
  for (const gone of ['sessions where ended_at is null', 'email_codes where superseded_at is null', 'pushes'])
    expect([gone, await query(`select from ${gone}`)]).toEqual([gone, []])
  expect(await query('select distinct state from deliveries')).toEqual([{ state: 'PARKED' }])
  const because = `restored from a backup of ${manifest.takenAt}`
  expect(await query('select distinct failed_because from mails where sent_at is null')).toEqual([
    { failed_because: because },
  ])

  // An email queued after the restore waits too, and is the only one sent.
  await query(
    `insert into mails (id, recipient, subject, html, text) values (repeat('9', 24), 'new@example.com', 'New', '<p>New</p>', 'New')`,
  )
  await query(`insert into jobs (name, payload) values ('send-mail', '{"id": "${'9'.repeat(24)}"}')`)
  await work()
  expect(receiver.received).toEqual([])
  const released = await runCommand('restore', { ...place, ...smtp }, '--release')
  expect(released).toMatchObject({ code: 0, out: 'Emails, deliveries and pushes are sent from now on.\n' })
  await work()
  expect(receiver.received.map(({ to }) => to)).toEqual(['new@example.com'])
  // Versions that an open page may have seen are not reused.
  const [{ last } = { last: 0 }] = await server.query<{ last: number }>(
    'select last_value::float8 as last from row_versions',
  )
  expect((await query("select nextval('row_versions')::float8 as next"))[0]?.next).toBeGreaterThan(
    last + 1_000_000,
  )
  // Photos and keys are where the next start expects them.
  const photos = photoFileNames(shown).map((name) => join('photos', shown.id.slice(0, 2), shown.id, name))
  for (const name of [...photos, ...manifest.keys])
    expect(await readFile(join(place.DATA_DIR, name))).toEqual(
      await readFile(join(server.deps.config.dataDir, name)),
    )
  expect(manifest.keys).toContain('evidence-key')
  expect(readdirSync(place.DATA_DIR)).not.toContain('restoring')
})

// R-everywhere-48
test('sends waiting jobs and keeps sessions when the installation moved to another machine', async () => {
  const { path } = whole
  const place = await anEmptyPlace()
  const told = await runCommand('restore', { ...place, ...smtp }, path, '--moved')
  expect(told, told.err).toMatchObject({ code: 0, err: '' })
  const { receiver, query, work } = await working(place)
  const signedIn = 'select id from sessions where ended_at is null order by id'
  expect(await query(signedIn)).toEqual(await server.query(signedIn))
  await query('update jobs set run_at = now()')
  await work()
  expect(receiver.received.map(({ to }) => to)).toContain(sale.buyer.email)
  expect(await query('select distinct state from deliveries')).toEqual([{ state: 'WAITING' }])
})

// R-everywhere-47
test('refuses to restore into a folder or database that is not empty', async () => {
  const { path } = whole
  const taken = await anEmptyPlace()
  await restoreInto(taken, path)
  await expect(restoreInto(taken, path)).rejects.toThrow(`${taken.DATA_DIR} is not empty`)
  const withTables = { ...taken, DATA_DIR: join(createTestFolder(), 'new') }
  await expect(restoreInto(withTables, path)).rejects.toThrow('The database is not empty')
  expect(readdirSync(withTables.DATA_DIR)).toEqual([])
})

const damages: Record<string, [RegExp, (folder: string) => void]> = {
  'a byte of a table changed': [/damaged: \S+users\.gz is changed/, flip('tables/users.gz')],
  'a byte of its manifest changed': [/manifest\.json is changed/, flip('manifest.json')],
  'a byte of a digest changed': [/is (changed|missing)|an invalid line/, flip('SHA256SUMS')],
  'a photo missing': [/damaged: \S+\.avif is missing/, (at) => rmSync(photoIn(at))],
  'a file too many': [
    /does not name tables\/more\.gz/,
    (at) => writeFileSync(join(at, 'tables/more.gz'), ''),
  ],
  'its end missing': [/is not a complete backup/, (at) => rmSync(join(at, 'manifest.json'))],
  'all of its digests missing': [/is not a complete backup/, (at) => rmSync(join(at, 'SHA256SUMS'))],
}

// R-everywhere-47
test.each(Object.entries(damages))('rejects a backup with %s', async (_, [sentence, damage]) => {
  const copy = join(createTestFolder(), 'copy')
  cpSync(whole.path, copy, { recursive: true })
  damage(copy)
  await expect(restoreInto(nowhere(), copy)).rejects.toThrow(sentence)
})

function flip(name: string) {
  return (folder: string) => {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const middle = bytes.length >> 1
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }
}

function photoIn(folder: string): string {
  const files = readdirSync(join(folder, 'photos'), { recursive: true, encoding: 'utf8' })
  return join(folder, 'photos', files.find((name) => name.endsWith('.avif')) ?? '')
}

// R-everywhere-47
test('explains a backup of a newer version and a folder with several backups', async () => {
  const newer = await startTestServer()
  await newer.query(`insert into migrations (name) values ('9999-later.sql')`)
  const { path } = await backUp(createTestFolder(), readHeadForBackup, newer)
  const place = await anEmptyPlace()
  await expect(restoreInto(place, path)).rejects.toThrow(/does not know the migration 9999-later/)
  const { query } = await working(place)
  expect(await query(`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  await expect(restoreInto(nowhere(), join(path, '..'))).rejects.toThrow(`the newest is ${path}`)
})

// R-everywhere-47
test('restores a backup of a database at 0066 and migrates it to the baseline', async () => {
  const earlier = await createDatabaseBeforeBaseline()
  onTestFinished(() => earlier.close())
  await earlier.pool.query(`
    insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash)
      values (repeat('a', 24), 'selma@example.com', 'SELLER', 'Selma', 'Sanders', '617 555 0100', '');
    insert into account_events (user_id, actor, event) values (repeat('a', 24), 'PERSON', 'registered')`)
  const settings = { DATABASE_URL: earlier.url, DATA_DIR: server.deps.config.dataDir }
  const made = await runCommand('backup', settings, createTestFolder())
  expect(made, made.err).toMatchObject({ code: 0, err: '' })
  const path = made.out.trim().split('\n').at(-1) ?? ''
  const place = await anEmptyPlace()
  await restoreInto(place, path)
  const { query } = await working(place)
  expect(await query('select first_name from users')).toEqual([{ first_name: 'Selma' }])
  expect(await query(`select name from migrations where name <= '0067'`)).toEqual([])
})

// R-everywhere-47
test('includes a photo that is deleted during the backup, but not one that is added', async () => {
  const { seller, car } = await aListing(server)
  const { photo } = (await addPhoto(seller, car)).answer
  const sweep = () => runDueJobs(server.deps, pictureTasks(server.deps, [carPictureUse]))
  let later = ''
  const { path, manifest } = await backUp(createTestFolder(), async (db) => {
    await seller.ask(deleteCarPhoto, { params: { carId: car._id, photoId: photo.id } })
    await sweep()
    later = (await addPhoto(seller, car)).answer.photo.id
    return readHeadForBackup(db)
  })
  expect(manifest.missing).toEqual([])
  const kept = readdirSync(join(path, 'photos', photo.id.slice(0, 2), photo.id))
  expect(kept.sort()).toEqual(photoFileNames(photo).sort())
  expect(existsSync(join(path, 'photos', later.slice(0, 2), later))).toBe(false)
  // After the backup, the sweep deletes the photo as usual.
  await server.moveClock('2 minutes')
  await sweep()
  await server.moveClock('0')
  expect(await server.deps.pictures.store.open(photo.id, '64.jpg')).toBeNull()
})

test('stores unchanged photos once, and keeps them when the previous backup is deleted', async () => {
  const parent = createTestFolder()
  const [first, second] = [await backUp(parent), await backUp(parent)]
  const [one, other] = [photoIn(first.path), photoIn(second.path)]
  expect(statSync(other).ino).toBe(statSync(one).ino)
  rmSync(first.path, { recursive: true })
  await restoreInto(await anEmptyPlace(), second.path)
})

test('leaves nothing when a backup fails, and removes the remains of an interrupted one', async () => {
  const parent = createTestFolder()
  const broken = async () => {
    throw new Error('no more')
  }
  await expect(backUp(parent, broken)).rejects.toThrow('no more')
  expect(readdirSync(parent)).toEqual([])
  cpSync(whole.path, join(parent, 'keyturn-unfinished-1'), { recursive: true })
  const { path } = await backUp(parent)
  expect(readdirSync(parent).map((name) => join(parent, name))).toEqual([path])
})
