// Time zones by state, and by ZIP code in states with two zones. Borders follow counties and not
// ZIP codes, so a few addresses beside a border are in the other zone (docs/decisions/0076).

const zones = {
  'America/New_York': 'Eastern Time',
  'America/Chicago': 'Central Time',
  'America/Denver': 'Mountain Time',
  'America/Boise': 'Mountain Time',
  /** Without daylight saving time. */
  'America/Phoenix': 'Mountain Standard Time',
  'America/Los_Angeles': 'Pacific Time',
  'America/Anchorage': 'Alaska Time',
  'America/Adak': 'Hawaii–Aleutian Time',
  'Pacific/Honolulu': 'Hawaii–Aleutian Time',
  'America/Puerto_Rico': 'Atlantic Time',
  'Pacific/Guam': 'Chamorro Time',
  'Pacific/Pago_Pago': 'Samoa Time',
  UTC: 'UTC',
} as const
export type Zone = keyof typeof zones

/** Military addresses and the freely associated states have ZIP codes but no zone here. */
const statesOf: Partial<Record<Zone, string>> = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO MT NM UT WY',
  'America/Boise': 'ID',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR VI',
  'Pacific/Guam': 'GU MP',
  'Pacific/Pago_Pago': 'AS',
}

/** ZIP codes and their prefixes in the other zone of their state; the longest match counts. */
const zipsOf: Partial<Record<Zone, string>> = {
  // Tennessee, and Port St. Joe in Florida.
  'America/New_York': '373 374 376 377 378 379 32456 32457',
  'America/Chicago': [
    // Florida west of the Apalachicola.
    '324 325',
    // Tennessee: the counties around Manchester, Winchester and Jasper.
    '37301 37305 37306 37313 37318 37324 37327 37328 37330 37334 37335 37339 37340 37342 37345 37347 37348 37349',
    '37352 37355 37356 37357 37359 37360 37365 37366 37367 37374 37375 37376 37378 37380 37382 37383 37387 37388',
    '37389 37394 37396 37397 37398 37723',
    // Kentucky: Paducah, Bowling Green, Owensboro, Henderson; and the zone's eight eastern counties, from
    // Breckinridge to Clinton.
    '420 421 422 423 424',
    '40111 40115 40119 40140 40143 40144 40145 40146 40152 40153 40170 40171 40176 40178 42602 42603 42629 42642',
    '42712 42713 42715 42717 42720 42721 42722 42726 42728 42729 42741 42742 42743 42746 42749 42753 42754 42755',
    '42759 42762 42765 42782',
    // Indiana: the northwest, Evansville and its surroundings.
    '463 464 476 477 46531 46532 46534 46968 47514 47515 47520 47523 47525 47531 47536 47537 47550 47551 47552',
    '47556 47574 47576 47577 47579 47586 47588 47922 47943 47948 47951 47963 47964 47977 47978',
    // Michigan: the four counties on Wisconsin's border.
    '49801 49802 49812 49815 49821 49831 49834 49845 49847 49848 49852 49858 49863 49870 49873 49874 49876 49877 49881 49886',
    '49887 49892 49893 49896 49902 49903 49911 49915 49920 49927 49935 49938 49947 49959 49964 49968 49969',
    // North Dakota: the towns of 586 in Morton county.
    '58631 58638',
    // South Dakota: Mobridge and the other towns of 576 east of the Missouri.
    '57601 57631 57632 57646 57648',
  ].join(' '),
  'America/Denver': [
    // Texas: El Paso and Hudspeth counties.
    '799 885 79821 79835 79836 79837 79838 79839 79847 79849 79851 79853',
    // Kansas: the four counties on Colorado's border.
    '67733 67735 67741 67758 67761 67762 67836 67857 67878 67879',
    // Nebraska: the panhandle and the southwest.
    '693 69021 69023 69027 69030 69033 69037 69041 69045 69121 69122 69125 69127 69128 69129 69131 69133 69134',
    '69140 69141 69144 69145 69146 69147 69148 69149 69150 69152 69153 69154 69155 69156 69160 69162 69168 69190',
    // South Dakota west of the Missouri.
    '576 577 57521 57543 57547 57551 57552 57553 57567 57574 57577',
    // North Dakota: the southwest.
    '586 58529 58533 58562 58564 58569',
  ].join(' '),
  // Oregon: Malheur county. Idaho: Riggins. Nevada: West Wendover and Jackpot.
  'America/Boise': '979 83549 89883 89825',
  // Idaho: the panhandle. Oregon: the towns of 979 in Baker and Harney counties.
  'America/Los_Angeles': '835 838 97904 97905 97907',
  'America/Adak': '99546 99547',
}

const namesTo = (lists: Partial<Record<Zone, string>>): Map<string, Zone> =>
  new Map(
    Object.entries(lists).flatMap(([zone, list]) => list.split(' ').map((name) => [name, zone as Zone])),
  )
const zoneByState = namesTo(statesOf)
const zoneByZip = namesTo(zipsOf)

/** A place: its state in two letters, and its ZIP code. */
export type Place = { state: string | null; zip: string | null }

/** Returns UTC for an unknown place. */
export function findZone({ state, zip }: Place): Zone {
  const byState = state === null ? undefined : zoneByState.get(state)
  if (byState === undefined) return 'UTC'
  const byZip = zip === null ? undefined : (zoneByZip.get(zip) ?? zoneByZip.get(zip.slice(0, 3)))
  return byZip ?? byState
}

/** A calendar date, as in `2026-11-20`, and the name of the zone in which it is that date. */
export type LocalDay = { day: string; zone: string }

export function localDay(moment: Date, place: Place): LocalDay {
  const timeZone = findZone(place)
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment)
  const [year, month, day] = (['year', 'month', 'day'] as const).map(
    (type) => parts.find((part) => part.type === type)?.value,
  )
  return { day: `${year}-${month}-${day}`, zone: zones[timeZone] }
}
