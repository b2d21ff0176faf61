#!/usr/bin/env node
'use strict';
var path = require('path');
require('../../../launch.cjs').launch(path.join(__dirname, '../src/main.ts'), process.argv.slice(2));
