// @module-tag full

import { computeCheckDigit } from '@keyturn/contract/shared/vin.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createVinDecoder } from './vin-decoder.ts'

const decoder = createVinDecoder()
afterAll(() => decoder.close())

/** A VIN with `*` in place of its check digit, and the car as its owner would name it. */
type Row = [vin: string, year: number, make: string, model: string, trim: string]

const electric: Row[] = [
  ['1FT6W1EV*PWG12345', 2023, 'Ford', 'F-150 Lightning', 'SuperCrew'],
  ['1FTVW1EL*NWG12345', 2022, 'Ford', 'F-150 Lightning', 'SuperCrew'],
  ['1FTBW9CK*PKA12345', 2023, 'Ford', 'E-Transit', ''],
  ['1GC40ZEL1RU100123', 2024, 'Chevrolet', 'Silverado EV', 'RST'],
  ['3GN7DNRR*RS100123', 2024, 'Chevrolet', 'Equinox EV', 'RS'],
  ['3GNKDCRJ*RS100123', 2024, 'Chevrolet', 'Blazer EV', 'RS'],
  ['1G1FX6S0*H4100123', 2017, 'Chevrolet', 'Bolt EV', 'Premier'],
  ['1GT40LEL*SU100123', 2025, 'GMC', 'Sierra EV', 'Denali'],
  ['1GT40FDA*PU100123', 2023, 'GMC', 'Hummer EV Pickup', 'High'],
  ['1GKB0NDE*RU100123', 2024, 'GMC', 'Hummer EV SUV', '2X'],
  ['YSMET3KA*RB100123', 2024, 'Polestar', 'Polestar 2', ''],
  ['KM8K53AG*MU100123', 2021, 'Hyundai', 'Kona Electric', 'Ultimate'],
  ['KNDCC3LG*L5100123', 2020, 'Kia', 'Niro EV', 'EX'],
  ['KNDJX3AE*H7100123', 2017, 'Kia', 'Soul EV', 'EV+, EV+ with pano roof'],
  ['YV4ED3UR*M2500123', 2021, 'Volvo', 'XC40 Recharge', ''],
  ['WMEEJ9AA*GK800123', 2016, 'smart', 'Fortwo Electric Drive', ''],
  ['WMWXP3C0*M2N00123', 2021, 'MINI', 'Hardtop', 'Cooper SE'],
  ['3C3CFFGE*HT500123', 2017, 'Fiat', '500e', 'Battery Electric'],
  ['5YJSA1E2*HF200123', 2017, 'Tesla', 'Model S', ''],
  ['1N4AZ1CP*JC300123', 2018, 'Nissan', 'Leaf', ''],
]

const heavy: Row[] = [
  ['1FTFW5L86RFB45612', 2024, 'Ford', 'F-150', 'Lariat'],
  ['1FTFW4L86RFA86622', 2024, 'Ford', 'F-150', 'Tremor'],
  ['1FTFW1E8*NFA12345', 2022, 'Ford', 'F-150', 'SuperCrew'],
  ['1FT8W3DT*MEC12345', 2021, 'Ford', 'F-350 Super Duty', ''],
  ['1FT7W2BT*KEE12345', 2019, 'Ford', 'F-250 Super Duty', ''],
  ['1GC4YPEY4MF100123', 2021, 'Chevrolet', 'Silverado 2500HD', 'LTZ'],
  ['1GC1YNEY*LF100123', 2020, 'Chevrolet', 'Silverado 2500HD', 'LT'],
  ['1GCUYDED*KZ100123', 2019, 'Chevrolet', 'Silverado 1500', 'LT'],
  ['1GT49REY*PF100123', 2023, 'GMC', 'Sierra 2500HD', 'Denali'],
  ['3C6UR5DL*KG100123', 2019, 'Ram', '2500', 'Big Horn'],
  ['3C63RRGL*KG100123', 2019, 'Ram', '3500', 'Tradesman'],
]

const others: Row[] = [
  ['1HGCM82633A004352', 2003, 'Honda', 'Accord', 'EX-V6'],
  ['2T1BURHE*EC123456', 2014, 'Toyota', 'Corolla', 'L/LE'],
  ['JTMAB3FV*RD100123', 2024, 'Toyota', 'RAV4 Prime', 'SE'],
  ['JHMZC5F1*KC000123', 2019, 'Honda', 'Clarity', 'PLUG-IN HYBRID PHEV'],
  ['WDDGF4HB*CA123456', 2012, 'Mercedes-Benz', 'C-Class', 'C250'],
  ['YS3FD49Y*51012345', 2005, 'Saab', '9-3', ''],
  ['4S4BSANC*H3312345', 2017, 'Subaru', 'Outback', 'Limited + M/R + ES + NAVI'],
  ['1C4HJXDG*JW112345', 2018, 'Jeep', 'Wrangler', 'Unlimited Sport'],
  ['3VWC57BU*KM012345', 2019, 'Volkswagen', 'Jetta', 'S, SE, R-Line'],
  ['2C3CDXBG*KH512345', 2019, 'Dodge', 'Charger', 'SXT'],
]

describe.each([
  ['electric cars', electric],
  ['trucks and vans', heavy],
  ['other cars', others],
])('%s', (_, rows) => {
  test.each(rows)('decodes %s to a %i %s %s %s', async (vin, year, make, model, trim) => {
    const car = await decoder.decode(withCheckDigit(vin), 'anyone')
    expect(car).toMatchObject({ year, make, model, trim })
  })
})

const withCheckDigit = (vin: string) => vin.replace('*', computeCheckDigit(vin.replace('*', '0')) ?? '')
