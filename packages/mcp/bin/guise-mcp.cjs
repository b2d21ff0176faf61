#!/usr/bin/env node
'use strict';
require('../../../launch.cjs').launch(__dirname + '/../src/main.ts', process.argv.slice(2));
