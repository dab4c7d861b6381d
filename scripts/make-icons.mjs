#!/usr/bin/env node
/**
 * Draws the PNG icons in static/icons from the three SVGs there, in a headless Chromium. Run it after
 * changing an SVG (`node scripts/make-icons.mjs`); the PNGs are committed, the build does not need it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findBrowser } from './lib/browser.mjs';

const ICONS = new URL('../static/icons/', import.meta.url);

/** File, drawing, pixels a side. iOS rounds the corners itself, so its icon goes to the edges too. */
const PNGS = /** @type {const} */ ([
  ['favicon-32.png', 'favicon.svg', 32],
  ['icon-192.png', 'icon.svg', 192],
  ['icon-512.png', 'icon.svg', 512],
  ['icon-maskable-512.png', 'icon-maskable.svg', 512],
  ['apple-touch-icon.png', 'icon-maskable.svg', 180],
]);

const browser = await chromium.launch({
  executablePath: await findBrowser(process.execPath),
  // Chromium's sandbox does not start for root, which is who runs in a container.
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
});
try {
  const page = await browser.newPage();
  for (const [file, drawing, pixels] of PNGS) {
    const svg = readFileSync(new URL(drawing, ICONS), 'utf8');
    await page.setViewportSize({ width: pixels, height: pixels });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
    writeFileSync(new URL(file, ICONS), await page.screenshot({ omitBackground: true }));
    console.log(`${file}: ${pixels} px`);
  }
} finally {
  await browser.close();
}
